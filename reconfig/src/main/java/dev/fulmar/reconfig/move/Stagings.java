package dev.fulmar.reconfig.move;

import dev.fulmar.coordinator.reconfiguration.PartitionData;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationLog;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationStep;
import dev.fulmar.coordinator.reconfiguration.StepListener;
import dev.fulmar.engine.table.BucketMoves;
import dev.fulmar.engine.table.BucketStaging;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.reconfig.peer.Answer;
import dev.fulmar.reconfig.peer.DestinationStep;
import dev.fulmar.reconfig.peer.StagingPort;
import dev.fulmar.reconfig.step.MoveStep;
import dev.fulmar.reconfig.step.MoveStepFormat;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the steps of moves to partitions that this node leads, and drops staged buckets of moves that it hears of no
 * more. The source of such a move has failed, or another node led the partition when it was staged. Thread-safe.
 */
final class Stagings implements StagingPort {
    /** Longer than a move waits between two steps, unless its source has failed. */
    private static final long SILENCE_NANOS = 20_000_000_000L;

    private final ReconfigurationLog log;
    private final Clock clock;
    private final LongConsumer staged;
    private final Consumer<String> report;

    /** Steps that wait for the log, by the order in which they came. */
    private final NavigableMap<Long, Told> waiting = new ConcurrentSkipListMap<>();

    private final AtomicLong lastStep = new AtomicLong();

    /** When each move was heard of last. */
    private final NavigableMap<Long, Long> heard = new ConcurrentSkipListMap<>();

    /** @param staged told how long each chunk took on its partition's thread */
    Stagings(ReconfigurationLog log, Clock clock, LongConsumer staged, Consumer<String> report) {
        this.log = log;
        this.clock = clock;
        this.staged = staged;
        this.report = report;
    }

    @Override
    public void take(PartitionId partition, DestinationStep step, Answer answer) {
        FulmarException scarcity = step instanceof DestinationStep.Drop ? null : log.scarcity();
        if (scarcity != null) {
            answer.failed(scarcity);
            return;
        }
        heard.put(step.move(), clock.monotonicNanos());
        switch (step) {
            case DestinationStep.Stage stage -> write(partition, there -> stage(there, stage), answer);
            case DestinationStep.Take take -> {
                Taking taking = new Taking(take, answer);
                write(partition, taking::rows, taking);
            }
            case DestinationStep.Remember remember -> write(partition, there -> remember(there, remember), answer);
            case DestinationStep.Drop drop -> {
                heard.remove(drop.move());
                write(partition, there -> drop(there, drop.move()), answer);
            }
        }
    }

    private void write(PartitionId partition, ReconfigurationStep step, Answer answer) {
        long number = lastStep.incrementAndGet();
        Told told = new Told(number, answer);
        waiting.put(number, told);
        log.write(partition, step, told);
    }

    /**
     * Fails the steps that wait while the log has no space. The record of such a step may be the first one without, and
     * becomes durable once there is space: its move is undone by a later record of the same log.
     */
    void refuseWithoutSpace() {
        FulmarException refusal = waiting.isEmpty() ? null : log.refusal();
        if (refusal != null) {
            waiting.values().forEach(told -> told.refused(refusal));
        }
    }

    /** Tells the fate of a step, once. */
    private final class Told implements StepListener {
        private final long number;
        private final Answer answer;

        Told(long number, Answer answer) {
            this.number = number;
            this.answer = answer;
        }

        @Override
        public void safe() {
            if (waiting.remove(number) != null) {
                answer.done(0);
            }
        }

        @Override
        public void refused(FulmarException cause) {
            if (waiting.remove(number) != null) {
                answer.failed(cause);
            }
        }

        @Override
        public void lost(FulmarException cause) {
            refused(cause);
        }
    }

    private static byte[] stage(PartitionData there, DestinationStep.Stage stage) {
        BucketMoves moves = there.buckets().moves();
        if (moves.staging(stage.move()) != null) {
            throw new FulmarException(ErrorCode.TRANSACTION_RESTART, "the move has a staged bucket; begin another one");
        }
        int number = moves.freeNumber();
        moves.stage(stage.move(), number);
        return MoveStepFormat.write(new MoveStep.Stage(stage.move(), number));
    }

    private static byte[] remember(PartitionData there, DestinationStep.Remember remember) {
        there.requests().take(remember.outcomes());
        return MoveStepFormat.write(new MoveStep.Remember(remember.outcomes()));
    }

    private static byte[] drop(PartitionData there, long move) {
        there.buckets().moves().drop(move);
        return MoveStepFormat.write(new MoveStep.Drop(move));
    }

    /** A chunk of rows on its way into a staged bucket. */
    private final class Taking implements Answer {
        private final DestinationStep.Take take;
        private final Answer answer;

        /** Of the partition's thread. */
        private long rows;

        private @Nullable FulmarException refusal;

        Taking(DestinationStep.Take take, Answer answer) {
            this.take = take;
            this.answer = answer;
        }

        private byte @Nullable [] rows(PartitionData there) {
            BucketMoves moves = there.buckets().moves();
            BucketStaging staging = moves.staging(take.move());
            if (staging == null) {
                throw new FulmarException(
                        ErrorCode.TRANSACTION_RESTART,
                        "tables or indexes have changed since rows were staged; stage them anew");
            }
            if (moves.isHeld()) {
                return null;
            }
            long begunNanos = clock.monotonicNanos();
            try {
                staging.take(take.rows());
                staged.accept(clock.monotonicNanos() - begunNanos);
            } catch (FulmarException failed) {
                refusal = failed;
                return drop(there, take.move());
            }
            rows = staging.rowCount();
            return MoveStepFormat.write(new MoveStep.Take(take.move(), take.rows()));
        }

        @Override
        public void done(long none) {
            FulmarException refused = refusal;
            if (refused == null) {
                answer.done(rows);
            } else {
                answer.failed(refused);
            }
        }

        @Override
        public void failed(FulmarException cause) {
            answer.failed(cause);
        }
    }

    /** Drops the partition's staged buckets whose moves are heard of no more. */
    void sweep(PartitionId partition) {
        log.inspect(
                partition,
                data -> {
                    for (BucketStaging staging : data.buckets().moves().stagings()) {
                        if (!isHeardOf(staging.move())) {
                            dropLeftover(partition, staging.move());
                        }
                    }
                },
                elsewhere -> {});
    }

    /** Forgets moves that ended long ago. */
    void forgetOld() {
        heard.keySet().removeIf(move -> !isHeardOf(move));
    }

    private boolean isHeardOf(long move) {
        Long last = heard.get(move);
        return last != null && clock.monotonicNanos() - last < SILENCE_NANOS;
    }

    private void dropLeftover(PartitionId partition, long move) {
        write(partition, there -> drop(there, move), new Answer() {
            @Override
            public void done(long rows) {
                report.accept("partition " + partition + " dropped what move " + move + " had staged");
            }

            @Override
            public void failed(FulmarException cause) {
                report.accept("partition " + partition + " keeps what move " + move + " has staged for now: "
                        + cause.getMessage());
            }
        });
    }
}
