package dev.fulmar.reconfig.move;

import dev.fulmar.coordinator.reconfiguration.PartitionData;
import dev.fulmar.coordinator.reconfiguration.RequestOutcomes;
import dev.fulmar.coordinator.reconfiguration.StepListener;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.engine.row.RowChunk;
import dev.fulmar.engine.table.BucketExtraction;
import dev.fulmar.engine.table.BucketMoves;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.reconfig.peer.DestinationStep;
import dev.fulmar.reconfig.step.MoveStep;
import dev.fulmar.reconfig.step.MoveStepFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The move of one bucket to another partition.
 *
 * <table>
 * <caption>States</caption>
 * <tr><th>state</th><th>next</th><th>when</th></tr>
 * <tr><td>STAGING</td><td>COPYING</td><td>the destination has staged an empty bucket</td></tr>
 * <tr><td>COPYING</td><td>FROZEN</td><td>few rows are left to send</td></tr>
 * <tr><td>FROZEN</td><td>HANDING_OVER</td><td>the destination has all rows</td></tr>
 * <tr><td>HANDING_OVER</td><td>FROZEN</td><td>the hand-off came too early, and calls still wait</td></tr>
 * <tr><td>HANDING_OVER</td><td>COPYING</td><td>the hand-off came too early, and calls go on</td></tr>
 * <tr><td>HANDING_OVER</td><td>ENDED</td><td>the new plan counts</td></tr>
 * <tr><td>any before ENDED</td><td>UNDOING</td><td>a step failed, or the move is given up</td></tr>
 * <tr><td>UNDOING</td><td>ENDED</td><td>the staged bucket is dropped, or its partition stops</td></tr>
 * </table>
 *
 * <p>Its methods run as tasks; what partitions do, on their threads.
 */
final class BucketMove {
    /** Slots that a partition looks at for one chunk. */
    private static final int MOST_SLOTS = 2_000;

    /** Slots that are left when calls on the partition begin to wait. */
    private static final long FEW_SLOTS = 200;

    private static final long RETRY_NANOS = 20_000_000;
    private static final int MOST_FREEZES = 50;

    /** Time for which calls wait at first for a hand-off; each further time may be twice as long. */
    private static final long FREEZE_NANOS = 100_000_000;

    private static final int MOST_DOUBLINGS = 4;

    private enum State {
        STAGING,
        COPYING,
        FROZEN,
        HANDING_OVER,
        UNDOING,
        ENDED
    }

    /** Listener for a move's progress and end. Told by tasks. */
    interface Listener {
        /** So many more bytes are staged, and so many rows in all. */
        void sent(int bytes, long stagedRows);

        /** The bucket is handed over; calls on the partition that it left waited for so long. */
        void handedOver(long rows, long pauseNanos);

        /** The bucket is where it was, for the reason. */
        void undone(FulmarException cause);
    }

    private final MovePorts ports;
    private final PlanTarget target;
    private final long move;
    private final PartitionId from;
    private final PartitionId to;
    private final int bucket;
    private final List<KeyRange> ranges;
    private final RowChunk chunk;
    private final FrozenData none = new FrozenData(List.of());
    private final SentOutcomes outcomes;
    private final Listener listener;

    private State state = State.STAGING;
    private FrozenData frozen = none;
    private long frozenNanos;
    private long pauseNanos;
    private long chunks;
    private boolean isWhole;
    private long slotsLeft;
    private int freezes;
    private long stagedRows;
    private @Nullable FulmarException wish;

    BucketMove(
            MovePorts ports,
            PlanTarget target,
            long move,
            PartitionId from,
            BucketChoice.Move choice,
            SentOutcomes outcomes,
            Listener listener) {
        this.ports = ports;
        this.target = target;
        this.move = move;
        this.from = from;
        this.to = new PartitionId(choice.to());
        this.bucket = choice.bucket();
        this.ranges = choice.ranges();
        this.outcomes = outcomes;
        this.listener = listener;
        chunk = new RowChunk(target.pace().chunkBytes());
    }

    @Override
    public String toString() {
        return "bucket " + bucket + " from partition " + from + " to " + to;
    }

    void begin() {
        ports.take(to, new DestinationStep.Stage(move), none -> staged(), this::undo);
    }

    private void become(State next) {
        boolean isAllowed = switch (next) {
            case STAGING -> false;
            case COPYING -> state == State.STAGING || state == State.HANDING_OVER;
            case FROZEN -> state == State.COPYING || state == State.HANDING_OVER;
            case HANDING_OVER -> state == State.FROZEN;
            case UNDOING -> state != State.ENDED;
            case ENDED -> state == State.HANDING_OVER || state == State.UNDOING;
        };
        Invariants.check(isAllowed, "a bucket's move goes from state to state as its table says");
        state = next;
    }

    /** Undoes the move as soon as no hand-off is under way. */
    void giveUp(FulmarException why) {
        wish = why;
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
        if (isGivenUp()) {
            return;
        }
        if (state == State.COPYING && !ports.pace().mayMove()) {
            ports.runLater(RETRY_NANOS, this::copy);
            return;
        }
        boolean isFirst = chunks == 0;
        if (state == State.FROZEN) {
            ports.log().inspect(from, here -> fill(here, isFirst), ports.toldBy(this::undo));
        } else {
            ports.log().inspectInTurn(from, here -> fill(here, isFirst), ports.toldBy(this::undo));
        }
    }

    /** Between two chunks, as long as calls on both partitions need. */
    private long delayNanos() {
        long needed = Math.max(ports.pace().delayNanos(), ports.peers().delayNanos(to, target.number()));
        return Math.max(target.pace().delayNanos(), needed);
    }

    private void fill(PartitionData here, boolean isFirst) {
        try {
            BucketExtraction extraction = extraction(here.buckets().moves(), isFirst);
            chunk.clear();
            boolean whole = extraction.fill(chunk, MOST_SLOTS);
            long left = extraction.remainingSlots();
            byte[] rows = chunk.toByteArray();
            ports.run(() -> filled(rows, whole, left));
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

    private void filled(byte[] rows, boolean whole, long left) {
        chunks++;
        isWhole = whole;
        slotsLeft = left;
        send(rows);
    }

    private void send(byte[] rows) {
        ports.take(to, new DestinationStep.Take(move, rows), staged -> taken(rows.length, staged), cause -> {
            if (cause.code() == ErrorCode.SERVER_BUSY) {
                ports.runLater(RETRY_NANOS, () -> {
                    if (!isGivenUp()) {
                        send(rows);
                    }
                });
            } else {
                undo(cause);
            }
        });
    }

    private void taken(int bytes, long staged) {
        stagedRows = staged;
        listener.sent(bytes, staged);
        if (state == State.FROZEN) {
            if (isWhole) {
                copyOutcomes();
            } else {
                copy();
            }
        } else if (isWhole || slotsLeft <= FEW_SLOTS) {
            copyOutcomes();
        } else {
            ports.runLater(delayNanos(), this::copy);
        }
    }

    /** Outcomes of requests follow the rows: nearly all before the freeze, and the last ones in it. */
    private void copyOutcomes() {
        if (!isGivenUp()) {
            SentOutcomes.Place sent = outcomes.of(from, to);
            SeenOutcomes seen = new SeenOutcomes(sent);
            ports.log().inspectOnceSafe(from, seen::look, ports.told(() -> sendOutcomes(seen), this::undo));
        }
    }

    /**
     * Outcomes that the source remembers. They are sent once they are safe: the destination would answer a retry of a
     * commit that the source's next primary does not have.
     */
    private static final class SeenOutcomes {
        private final SentOutcomes.Place sent;
        private long term;
        private long commits;
        private RequestOutcomes.Batch batch = new RequestOutcomes.Batch(List.of(), RequestOutcomes.Place.BEGIN, true);

        SeenOutcomes(SentOutcomes.Place sent) {
            this.sent = sent;
        }

        /** On the partition's thread. */
        void look(PartitionData here) {
            RequestOutcomes requests = here.requests();
            term = requests.term();
            commits = requests.commits();
            batch = requests.since(sent.in(term));
        }
    }

    private void sendOutcomes(SeenOutcomes seen) {
        RequestOutcomes.Batch batch = seen.batch;
        Runnable sent = () -> {
            outcomes.sent(from, to, new SentOutcomes.Place(seen.term, batch.next()));
            if (!batch.isLast()) {
                copyOutcomes();
            } else if (state == State.FROZEN) {
                handOver(seen.commits);
            } else {
                freeze();
            }
        };
        sendPart(batch.parts(), 0, sent);
    }

    private void sendPart(List<byte[]> parts, int part, Runnable sent) {
        if (part == parts.size()) {
            sent.run();
        } else {
            DestinationStep step = new DestinationStep.Remember(move, parts.get(part));
            ports.take(to, step, none -> sendPart(parts, part + 1, sent), this::undo);
        }
    }

    private void freeze() {
        if (isGivenUp()) {
            return;
        }
        become(State.FROZEN);
        FrozenData held = new FrozenData(ranges);
        frozen = held;
        frozenNanos = ports.clock().monotonicNanos();
        ports.guards().guard(from, held);
        ports.runLater(FREEZE_NANOS << Math.min(freezes, MOST_DOUBLINGS), () -> endFreeze(held));
        freezes++;
        copy();
    }

    /** A hand-off whose calls wait no longer counts only if none has committed since they went on. */
    private void endFreeze(FrozenData held) {
        if (frozen.equals(held)) {
            thaw();
        }
    }

    private void handOver(long commits) {
        if (isGivenUp()) {
            return;
        }
        become(State.HANDING_OVER);
        ports.handOver(new HandOff(move, from.number(), to.number(), bucket, chunks, commits, ranges), this::answered);
    }

    private void answered(@Nullable FulmarException failure) {
        if (failure == null) {
            thaw();
            become(State.ENDED);
            bringCopiesOn();
            listener.handedOver(stagedRows, pauseNanos);
        } else if (failure.code() == ErrorCode.SERVER_BUSY && frozen != none) {
            become(State.FROZEN); // transactions that were under way have committed, and fewer are left
            copy();
        } else if (failure.code() == ErrorCode.SERVER_BUSY && freezes < MOST_FREEZES) {
            become(State.COPYING);
            ports.runLater(RETRY_NANOS, this::copy);
        } else {
            undo(failure);
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
        ports.log().inspect(from, here -> here.buckets().moves().endExtraction(move), stopped -> {});
        ports.take(to, new DestinationStep.Drop(move), none -> undone(cause), failed -> undone(cause));
    }

    private void undone(FulmarException cause) {
        become(State.ENDED);
        listener.undone(cause);
    }
}
