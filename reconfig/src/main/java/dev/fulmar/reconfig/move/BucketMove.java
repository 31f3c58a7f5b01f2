package dev.fulmar.reconfig.move;

import dev.fulmar.coordinator.reconfiguration.PartitionData;
import dev.fulmar.coordinator.reconfiguration.RequestOutcomes;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowChunk;
import dev.fulmar.engine.table.BucketExtraction;
import dev.fulmar.engine.table.BucketMoves;
import dev.fulmar.engine.table.BucketStaging;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
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
 * <tr><td>HANDING_OVER</td><td>COPYING</td><td>the hand-off came too early</td></tr>
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
    private static final int MOST_HAND_OFFS = 50;

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
        /** So many bytes are staged. */
        void sent(int bytes);

        /** The bucket is handed over; calls on the partition that it left waited for so long. */
        void handedOver(long rows, long pauseNanos);

        /** The bucket is where it was, for the reason. */
        void undone(FulmarException cause);
    }

    private final MovePorts ports;
    private final ReconfigurationSettings settings;
    private final long move;
    private final PartitionId from;
    private final PartitionId to;
    private final int bucket;
    private final List<KeyRange> ranges;
    private final RowChunk chunk;
    private final FrozenData none = new FrozenData();
    private final Listener listener;

    private State state = State.STAGING;
    private FrozenData frozen = none;
    private long frozenNanos;
    private long chunks;
    private long outcomesPlace;
    private boolean isWhole;
    private long slotsLeft;
    private int handOffs;
    private @Nullable FulmarException wish;

    /** Set by the destination's thread before it tells a task. */
    private volatile long stagedRows;

    private volatile @Nullable FulmarException refusal;

    BucketMove(
            MovePorts ports,
            ReconfigurationSettings settings,
            long move,
            PartitionId from,
            BucketChoice.Move choice,
            Listener listener) {
        this.ports = ports;
        this.settings = settings;
        this.move = move;
        this.from = from;
        this.to = new PartitionId(choice.to());
        this.bucket = choice.bucket();
        this.ranges = choice.ranges();
        this.listener = listener;
        chunk = new RowChunk(settings.chunkBytes());
    }

    @Override
    public String toString() {
        return "bucket " + bucket + " from partition " + from + " to " + to;
    }

    void begin() {
        ports.log().write(to, this::stage, ports.told(this::staged, this::undo));
    }

    private void become(State next) {
        boolean isAllowed = switch (next) {
            case STAGING -> false;
            case COPYING -> state == State.STAGING || state == State.HANDING_OVER;
            case FROZEN -> state == State.COPYING;
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

    private byte[] stage(PartitionData there) {
        BucketMoves moves = there.buckets().moves();
        int number = moves.freeNumber();
        moves.stage(move, number);
        return MoveStepFormat.write(new MoveStep.Stage(move, number));
    }

    private void staged() {
        become(State.COPYING);
        copy();
    }

    private void copy() {
        if (!isGivenUp()) {
            ports.log().inspect(from, this::fill, ports.toldBy(this::undo));
        }
    }

    private void fill(PartitionData here) {
        try {
            BucketMoves moves = here.buckets().moves();
            BucketExtraction known = moves.extraction(move);
            BucketExtraction extraction = known == null ? moves.extract(move, bucket) : known;
            chunk.clear();
            boolean whole = extraction.fill(chunk, MOST_SLOTS);
            long left = extraction.remainingSlots();
            byte[] rows = chunk.toByteArray();
            ports.run(() -> filled(rows, whole, left));
        } catch (FulmarException failed) {
            ports.run(() -> undo(failed));
        }
    }

    private void filled(byte[] rows, boolean whole, long left) {
        chunks++;
        isWhole = whole;
        slotsLeft = left;
        send(rows);
    }

    private void send(byte[] rows) {
        ports.log().write(to, there -> take(there, rows), ports.told(() -> taken(rows.length), cause -> {
            if (cause.code() == ErrorCode.SERVER_BUSY) {
                ports.runLater(RETRY_NANOS, () -> {
                    if (!isGivenUp()) {
                        send(rows);
                    }
                });
            } else {
                undo(cause);
            }
        }));
    }

    private byte @Nullable [] take(PartitionData there, byte[] rows) {
        BucketMoves moves = there.buckets().moves();
        BucketStaging staging = moves.staging(move);
        if (staging == null) {
            throw new FulmarException(
                    ErrorCode.TRANSACTION_RESTART,
                    "tables or indexes have changed since rows were staged; stage them anew");
        }
        if (moves.isHeld()) {
            return null;
        }
        try {
            staging.take(rows);
        } catch (FulmarException failed) {
            refusal = failed;
            moves.drop(move);
            return MoveStepFormat.write(new MoveStep.Drop(move));
        }
        stagedRows = staging.rowCount();
        return MoveStepFormat.write(new MoveStep.Take(move, rows));
    }

    private void taken(int bytes) {
        FulmarException refused = refusal;
        if (refused != null) {
            undo(refused);
            return;
        }
        listener.sent(bytes);
        if (state == State.FROZEN) {
            if (isWhole) {
                copyOutcomes();
            } else {
                copy();
            }
        } else if (isWhole || slotsLeft <= FEW_SLOTS) {
            copyOutcomes();
        } else {
            ports.runLater(settings.delayNanos(), this::copy);
        }
    }

    /** Outcomes of requests follow the rows: nearly all before the freeze, and the last ones in it. */
    private void copyOutcomes() {
        if (!isGivenUp()) {
            ports.log()
                    .inspect(
                            from,
                            here -> {
                                long commits = here.requests().commits();
                                RequestOutcomes.Batch batch = here.requests().since(outcomesPlace);
                                ports.run(() -> sendOutcomes(batch, commits));
                            },
                            ports.toldBy(this::undo));
        }
    }

    private void sendOutcomes(RequestOutcomes.Batch batch, long commits) {
        outcomesPlace = batch.next();
        Runnable sent = () -> {
            if (!batch.isLast()) {
                copyOutcomes();
            } else if (state == State.FROZEN) {
                handOver(commits);
            } else {
                freeze();
            }
        };
        if (batch.bytes().length == 0) {
            sent.run();
            return;
        }
        ports.log()
                .write(
                        to,
                        there -> {
                            there.requests().take(batch.bytes());
                            return MoveStepFormat.write(new MoveStep.Remember(batch.bytes()));
                        },
                        ports.told(sent, this::undo));
    }

    private void freeze() {
        if (isGivenUp()) {
            return;
        }
        become(State.FROZEN);
        frozen = new FrozenData();
        frozenNanos = ports.clock().monotonicNanos();
        ports.guards().guard(from, frozen);
        copy();
    }

    private void handOver(long commits) {
        if (isGivenUp()) {
            return;
        }
        become(State.HANDING_OVER);
        handOffs++;
        PartitionPlan next = ports.plans().newest();
        for (KeyRange range : ranges) {
            next = next.with(range, to.number());
        }
        HandOff handOff = new HandOff(move, from.number(), to.number(), bucket, chunks, commits, ranges);
        ports.plans().replace(next, List.of(handOff), failure -> ports.run(() -> answered(failure)));
    }

    private void answered(@Nullable FulmarException failure) {
        if (failure == null) {
            long pauseNanos = thaw();
            become(State.ENDED);
            listener.handedOver(stagedRows, pauseNanos);
        } else if (failure.code() == ErrorCode.SERVER_BUSY && handOffs < MOST_HAND_OFFS) {
            thaw();
            become(State.COPYING);
            ports.runLater(RETRY_NANOS, this::copy);
        } else {
            undo(failure);
        }
    }

    /** Calls that waited go on; the time for which they waited. */
    private long thaw() {
        FrozenData held = frozen;
        if (held == none) {
            return 0;
        }
        frozen = none;
        ports.guards().guard(from, null);
        ports.log().inspect(from, here -> held.thaw(), stopped -> {});
        return ports.clock().monotonicNanos() - frozenNanos;
    }

    private void undo(FulmarException cause) {
        if (state == State.UNDOING || state == State.ENDED) {
            return;
        }
        become(State.UNDOING);
        thaw();
        ports.log().inspect(from, here -> here.buckets().moves().endExtraction(move), stopped -> {});
        ports.log().write(to, this::drop, ports.told(() -> undone(cause), failed -> undone(cause)));
    }

    private byte[] drop(PartitionData there) {
        there.buckets().moves().drop(move);
        return MoveStepFormat.write(new MoveStep.Drop(move));
    }

    private void undone(FulmarException cause) {
        become(State.ENDED);
        listener.undone(cause);
    }
}
