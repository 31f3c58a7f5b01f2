package dev.fulmar.reconfig.move;

import dev.fulmar.coordinator.reconfiguration.PartitionData;
import dev.fulmar.coordinator.reconfiguration.StepListener;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.engine.row.RowChunk;
import dev.fulmar.engine.spi.SliceHaste;
import dev.fulmar.engine.table.BucketExtraction;
import dev.fulmar.engine.table.BucketMoves;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.reconfig.peer.DestinationStep;
import dev.fulmar.reconfig.step.MoveStep;
import dev.fulmar.reconfig.step.MoveStepFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The move of one bucket to another partition.
 *
 * <table>
 * <caption>States</caption>
 * <tr><th>state</th><th>next</th><th>when</th></tr>
 * <tr><td>STAGING</td><td>COPYING</td><td>the destination has staged an empty bucket</td></tr>
 * <tr><td>COPYING</td><td>ANNOUNCED</td><td>few rows are left to send</td></tr>
 * <tr><td>ANNOUNCED</td><td>FROZEN</td><td>the nodes are about to lock partitions for the hand-off</td></tr>
 * <tr><td>FROZEN</td><td>HANDING_OVER</td><td>the destination has all rows</td></tr>
 * <tr><td>HANDING_OVER</td><td>ANNOUNCED</td><td>the hand-off came too early, and calls still wait</td></tr>
 * <tr><td>ANNOUNCED, FROZEN, HANDING_OVER</td><td>COPYING</td><td>the hand-off came too early</td></tr>
 * <tr><td>HANDING_OVER</td><td>ENDED</td><td>the new plan counts</td></tr>
 * <tr><td>any before ENDED</td><td>UNDOING</td><td>a step failed, or the move is given up</td></tr>
 * <tr><td>UNDOING</td><td>ENDED</td><td>the staged bucket is dropped, or its partition stops or is slow</td></tr>
 * </table>
 *
 * <p>Invariant: a hand-off is told once whether it may go on. If it may, no chunk is sent before its end is known.
 *
 * <p>Its methods run as tasks; what partitions do, on their threads.
 */
final class BucketMove {
    /** Slots that a partition looks at for one chunk. */
    private static final int MOST_SLOTS = 2_000;

    /** Slots that are left when the hand-off is announced; more change until it comes. */
    private static final long FEW_SLOTS = 500;

    /** Slots for which calls wait at most. */
    private static final int MOST_LAST_SLOTS = 4_000;

    /** A step of a log is not larger. */
    private static final int LAST_CHUNK_BYTES = 512 << 10;

    private static final int MOST_LAST_CHUNKS = 64;

    /** Chunks for which calls wait if rows change all the time. */
    private static final int BUSY_LAST_CHUNKS = 4;

    /** Of chunks that follow rows which change: how many there are in a second is bounded by the logs and the link. */
    private static final int FOLLOWING_CHUNK_BYTES = 256 << 10;

    /** Time of a pass over outcomes after which few rows are left as before. */
    private static final long SHORT_NANOS = 20_000_000;

    private static final int MOST_LONG_PASSES = 5;
    private static final long RETRY_NANOS = 20_000_000;
    private static final int MOST_ATTEMPTS = 100;

    /** Time for which calls wait at first for a hand-off; each further time may be twice as long. */
    private static final long FREEZE_NANOS = 100_000_000;

    private static final int MOST_DOUBLINGS = 4;

    /** Time for which the destination may say nothing; then it drops what it has staged by itself, soon or late. */
    static final long ANSWER_NANOS = 10_000_000_000L;

    private static final long DROP_NANOS = 500_000_000;

    /** Time for which a hand-off, and with it all changes of the catalog, waits for the last rows. */
    private static final long PREPARATION_NANOS = 2_000_000_000;

    private enum State {
        STAGING,
        COPYING,
        ANNOUNCED,
        FROZEN,
        HANDING_OVER,
        UNDOING,
        ENDED
    }

    private final MovePorts ports;
    private final PlanTarget target;
    private final long move;
    private final PartitionId from;
    private final PartitionId to;
    private final int bucket;
    private final List<KeyRange> ranges;
    private final RowChunk chunk;
    private final RowChunk followingChunk;
    private final FrozenData none = new FrozenData(List.of());
    private final OutcomeCopy outcomes;
    private final SiteShare share;
    private final MoveListener listener;

    private State state = State.STAGING;
    private FrozenData frozen = none;
    private long frozenNanos;
    private long pauseNanos;
    private long chunks;
    private int longPasses;
    private int attempts;
    private int freezes;

    /** Chunks for which calls wait. As many are announced and sent, though the last ones may be empty. */
    private int lastChunks = 1;

    /** Of the copying, which must keep up with rows that change. */
    private SliceHaste haste = SliceHaste.BRISK;

    private long stagedRows;
    private @Nullable FulmarException wish;

    /** Whether the source is about to copy rows: what it does then is to be undone behind it. */
    private boolean isFilling;

    private boolean sendsOutcomes;

    /** Steps that the destination has not answered, and when it did last, or was asked. */
    private int unanswered;

    private long heardNanos;

    /** The hand-off that waits for the last rows, or null. */
    private @Nullable Ending ending;

    BucketMove(
            MovePorts ports,
            PlanTarget target,
            long move,
            PartitionId from,
            BucketChoice.Move choice,
            SentOutcomes sentOutcomes,
            MoveListener listener) {
        this.ports = ports;
        this.target = target;
        this.move = move;
        this.from = from;
        this.to = new PartitionId(choice.to());
        this.bucket = choice.bucket();
        this.ranges = choice.ranges();
        this.listener = listener;
        share = new SiteShare(target.pace());
        outcomes = new OutcomeCopy(ports, this::ask, sentOutcomes, move, from, to);
        chunk = new RowChunk(target.pace().chunkBytes());
        followingChunk =
                new RowChunk(Math.max(FOLLOWING_CHUNK_BYTES, target.pace().chunkBytes()));
    }

    @Override
    public String toString() {
        return "bucket " + bucket + " from partition " + from + " to " + to;
    }

    void begin() {
        ask(new DestinationStep.Stage(move), none -> staged(), this::undo);
    }

    /** Takes the step at the destination; an answer that comes after the move was given up is of no interest. */
    private void ask(DestinationStep step, LongConsumer done, Consumer<FulmarException> failed) {
        if (unanswered++ == 0) {
            heardNanos = ports.clock().monotonicNanos();
        }
        ports.take(
                to,
                step,
                rows -> {
                    heard();
                    if (!isOver()) {
                        done.accept(rows);
                    }
                },
                cause -> {
                    heard();
                    if (!isOver()) {
                        failed.accept(cause);
                    }
                });
    }

    private void heard() {
        unanswered--;
        heardNanos = ports.clock().monotonicNanos();
    }

    private boolean isOver() {
        return state == State.UNDOING || state == State.ENDED;
    }

    private void become(State next) {
        boolean isAllowed = switch (next) {
            case STAGING -> false;
            case COPYING ->
                switch (state) {
                    case STAGING, ANNOUNCED, FROZEN, HANDING_OVER -> true;
                    case COPYING, UNDOING, ENDED -> false;
                };
            case ANNOUNCED -> state == State.COPYING || state == State.HANDING_OVER;
            case FROZEN -> state == State.ANNOUNCED;
            case HANDING_OVER -> state == State.FROZEN;
            case UNDOING -> state != State.ENDED;
            case ENDED -> state == State.HANDING_OVER || state == State.UNDOING;
        };
        Invariants.check(isAllowed, "a bucket's move goes from state to state as its table says");
        state = next;
    }

    /** Undoes the move, at once if no hand-off is under way, and no rows are being copied. */
    void giveUp(FulmarException why) {
        wish = why;
        if (mayUndo()) {
            undo(why);
        }
    }

    /** Undoes the move if it waits for a destination that says nothing, or for a log without space; often. */
    void watch() {
        if (!mayUndo()) {
            return;
        }
        FulmarException refusal =
                sendsOutcomes || state == State.FROZEN ? ports.log().refusal() : null;
        if (refusal != null) {
            undo(refusal); // outcomes are sent once they are safe at the source
        } else if (unanswered > 0 && ports.clock().monotonicNanos() - heardNanos >= ANSWER_NANOS) {
            undo(new FulmarException(
                    ErrorCode.TIMEOUT,
                    "partition " + to + " has not answered for " + ANSWER_NANOS / 1_000_000_000
                            + " s; its node or a copy of it is slow, and the move begins again by itself"));
        }
    }

    private boolean mayUndo() {
        Ending under = ending;
        return switch (state) {
            case STAGING -> true;
            case COPYING -> !isFilling;
            case FROZEN -> under != null && under.failure != null; // the hand-off has ended
            case ANNOUNCED, HANDING_OVER, UNDOING, ENDED -> false;
        };
    }

    private boolean isGivenUp() {
        FulmarException why = wish;
        if (why != null) {
            undo(why);
        }
        return why != null;
    }

    private void staged() {
        become(State.COPYING);
        copy();
    }

    private void copy() {
        if (state != State.COPYING || isGivenUp()) {
            return;
        }
        if (!ports.pace().mayMove()) {
            ports.runLater(RETRY_NANOS, this::copy);
            return;
        }
        boolean isFirst = chunks == 0;
        isFilling = true;
        ports.log().inspectInTurn(from, haste, here -> fill(here, isFirst), ports.toldBy(this::undo));
    }

    /** Between two chunks, as long as calls on both partitions need. */
    private long delayNanos() {
        long needed = Math.max(ports.pace().delayNanos(), ports.peers().delayNanos(to, target.number()));
        long rest = share.leftNanos(ports.clock().monotonicNanos());
        return Math.max(Math.max(target.pace().delayNanos(), rest), needed);
    }

    private void fill(PartitionData here, boolean isFirst) {
        try {
            long begunNanos = ports.clock().monotonicNanos();
            BucketExtraction extraction = extraction(here.buckets().moves(), isFirst);
            RowChunk next = extraction.isFollowing() ? followingChunk : chunk;
            next.clear();
            boolean whole = extraction.fill(next, MOST_SLOTS);
            long left = extraction.remainingSlots();
            byte[] rows = next.toByteArray();
            boolean follows = extraction.isFollowing();
            long endNanos = ports.clock().monotonicNanos();
            ports.run(() -> {
                isFilling = false;
                share.took(endNanos - begunNanos, endNanos, follows);
                lastChunks = Math.max(lastChunks, follows && !whole ? BUSY_LAST_CHUNKS : 1);
                haste = follows ? SliceHaste.URGENT : SliceHaste.BRISK;
                filled(rows, whole || left <= FEW_SLOTS);
            });
        } catch (FulmarException failed) {
            ports.run(() -> undo(failed));
        }
    }

    private BucketExtraction extraction(BucketMoves moves, boolean isFirst) {
        BucketExtraction known = moves.extraction(move);
        if (known == null && !isFirst) {
            throw new FulmarException(
                    ErrorCode.TRANSACTION_RESTART,
                    "another node has led partition " + from + " since the move began; begin another one");
        }
        return known == null ? moves.extract(move, bucket) : known;
    }

    private void filled(byte[] rows, boolean fewAreLeft) {
        if (isGivenUp()) {
            return;
        }
        send(rows, () -> {
            if (fewAreLeft) {
                announce();
            } else {
                ports.runLater(delayNanos(), this::copy);
            }
        });
    }

    /** Sends the next chunk, as often as the destination is busy. */
    private void send(byte[] rows, Runnable taken) {
        chunks++;
        resend(rows, taken);
    }

    private void resend(byte[] rows, Runnable taken) {
        ask(
                new DestinationStep.Take(move, rows),
                staged -> {
                    stagedRows = staged;
                    listener.sent(rows.length, staged);
                    taken.run();
                },
                cause -> {
                    if (cause.code() == ErrorCode.SERVER_BUSY) {
                        ports.runLater(RETRY_NANOS, () -> {
                            if (!isOver() && !isGivenUp()) {
                                resend(rows, taken);
                            }
                        });
                    } else {
                        undo(cause);
                    }
                });
    }

    /** Nearly all outcomes of requests follow the rows; then the nodes are to get ready for the hand-off. */
    private void announce() {
        if (!isGivenUp()) {
            long begunNanos = ports.clock().monotonicNanos();
            sendsOutcomes = true;
            outcomes.begin(() -> outcomesSent(ports.clock().monotonicNanos() - begunNanos), this::undo);
        }
    }

    private void outcomesSent(long nanos) {
        sendsOutcomes = false;
        if (isOver()) {
            return;
        }
        if (nanos > SHORT_NANOS && longPasses < MOST_LONG_PASSES) { // many rows may have changed meanwhile
            longPasses++;
            copy();
        } else if (!isGivenUp()) {
            handOver();
        }
    }

    private void handOver() {
        become(State.ANNOUNCED);
        listener.announced();
        attempts++;
        ports.handOver(
                new HandOff(move, from.number(), to.number(), bucket, chunks + lastChunks, HandOff.NOTED, ranges),
                this::answered);
    }

    /**
     * The nodes are about to lock partitions for the hand-off. Calls on keys of the bucket wait from now on, and the
     * last rows and outcomes follow.
     *
     * @param ready told once, with the reason if it must not go on
     */
    void prepare(HandOff handOff, Consumer<@Nullable FulmarException> ready) {
        FulmarException why = wish;
        if (state != State.ANNOUNCED || handOff.move() != move || handOff.chunks() != chunks + lastChunks) {
            ready.accept(tooEarly("it is no longer what its source is about to do"));
        } else if (why != null) {
            ready.accept(why);
        } else {
            become(State.FROZEN);
            Ending begun = new Ending(ready);
            ending = begun;
            freeze();
            ports.log().inspect(from, begun::fill, ports.toldBy(this::undo));
            outcomes.begin(begun::partEnded, this::undo);
            ports.runLater(
                    PREPARATION_NANOS, () -> begun.answer(tooEarly("its last rows take the destination too long")));
        }
    }

    private FulmarException tooEarly(String why) {
        return new FulmarException(
                ErrorCode.SERVER_BUSY, "move " + move + " cannot be handed over yet: " + why + "; try again");
    }

    /** The last rows and outcomes of a hand-off. They go to the destination at the same time. */
    private final class Ending {
        private final Consumer<@Nullable FulmarException> ready;
        private boolean isAnswered;
        private int partsLeft = 2;

        /** Why the hand-off must not go on, although what is under way goes to its end. */
        private @Nullable FulmarException refusal;

        /** The end of the hand-off, if it was told before the last rows were there. */
        private @Nullable FulmarException failure;

        Ending(Consumer<@Nullable FulmarException> ready) {
            this.ready = ready;
        }

        void answer(@Nullable FulmarException reason) {
            if (!isAnswered) {
                isAnswered = true;
                refusal = reason;
                ready.accept(reason);
            }
        }

        /** On the partition's thread, behind the guard. */
        private void fill(PartitionData here) {
            try {
                BucketExtraction extraction = extraction(here.buckets().moves(), false);
                boolean few = extraction.remainingSlots() <= MOST_LAST_SLOTS;
                RowChunk last = few ? new RowChunk(LAST_CHUNK_BYTES) : chunk;
                List<byte[]> rows = new ArrayList<>();
                boolean whole = false;
                for (int filled = 0; filled < lastChunks; filled++) {
                    last.clear();
                    whole = extraction.fill(last, MOST_LAST_SLOTS);
                    rows.add(last.toByteArray());
                }
                boolean isWhole = whole;
                ports.run(() -> filled(rows, few, isWhole));
            } catch (FulmarException failed) {
                ports.run(() -> undo(failed));
            }
        }

        private void filled(List<byte[]> rows, boolean few, boolean isWhole) {
            if (isOver()) {
                return;
            }
            if (!isWhole) {
                refusal = tooEarly("too many rows have changed");
                lastChunks = few ? Math.min(2 * lastChunks, MOST_LAST_CHUNKS) : lastChunks;
                thaw();
            }
            sendNext(rows, 0);
        }

        private void sendNext(List<byte[]> rows, int next) {
            if (next == rows.size()) {
                partEnded();
            } else {
                send(rows.get(next), () -> sendNext(rows, next + 1));
            }
        }

        private void partEnded() {
            partsLeft--;
            if (partsLeft > 0 || state != State.FROZEN || isGivenUp()) {
                return;
            }
            ending = null;
            FulmarException ended = failure;
            if (ended != null) {
                answer(ended);
                refused(ended);
            } else if (refusal == null) {
                become(State.HANDING_OVER);
                answer(null);
            } else {
                answer(refusal); // the hand-off ends with that
            }
        }
    }

    private void freeze() {
        if (frozen != none) {
            return;
        }
        FrozenData held = new FrozenData(ranges);
        frozen = held;
        frozenNanos = ports.clock().monotonicNanos();
        ports.guards().guard(from, held);
        ports.runLater(FREEZE_NANOS << Math.min(freezes, MOST_DOUBLINGS), () -> endFreeze(held));
        freezes++;
    }

    /** A hand-off whose calls wait no longer counts only if none has committed since they went on. */
    private void endFreeze(FrozenData held) {
        if (frozen.equals(held)) {
            thaw();
        }
    }

    private void answered(@Nullable FulmarException failure) {
        Ending under = ending;
        if (state == State.UNDOING || state == State.ENDED) {
            Invariants.check(failure != null, "a hand-off that its source refused does not count");
        } else if (failure == null) {
            thaw();
            become(State.ENDED);
            bringCopiesOn();
            listener.handedOver(stagedRows, pauseNanos);
        } else if (under != null) {
            under.failure = failure;
            isGivenUp();
        } else {
            refused(failure);
        }
    }

    private void refused(FulmarException failure) {
        if (failure.code() != ErrorCode.SERVER_BUSY || attempts >= MOST_ATTEMPTS) {
            undo(failure);
            return;
        }
        listener.refused(attempts);
        if (state == State.HANDING_OVER && frozen != none) {
            handOver(); // transactions that were under way have committed, and few rows have changed
        } else {
            thaw();
            become(State.COPYING);
            ports.runLater(RETRY_NANOS, this::copy);
        }
    }

    /** Calls that waited go on. */
    private void thaw() {
        FrozenData held = frozen;
        if (held == none) {
            return;
        }
        frozen = none;
        ports.guards().guard(from, null);
        ports.log().inspect(from, here -> held.thaw(), elsewhere -> held.thaw());
        pauseNanos = ports.clock().monotonicNanos() - frozenNanos;
    }

    /** Copies take a hand-off with the next record of their primary, which may be far off where few keys are left. */
    private void bringCopiesOn() {
        ports.log().write(from, here -> MoveStepFormat.write(new MoveStep.Drop(move)), StepListener.none());
    }

    private void undo(FulmarException cause) {
        if (state == State.UNDOING || state == State.ENDED) {
            return;
        }
        become(State.UNDOING);
        thaw();
        Ending under = ending;
        if (under != null) {
            ending = null;
            under.answer(cause);
        }
        ports.log().inspect(from, here -> here.buckets().moves().endExtraction(move), stopped -> {});
        ports.take(to, new DestinationStep.Drop(move), none -> undone(cause), failed -> undone(cause));
        ports.runLater(DROP_NANOS, () -> undone(cause)); // else its primary drops it
    }

    private void undone(FulmarException cause) {
        if (state == State.ENDED) {
            return;
        }
        become(State.ENDED);
        listener.undone(cause);
    }
}
