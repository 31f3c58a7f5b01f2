package dev.fulmar.reconfig.move;

import dev.fulmar.coordinator.reconfiguration.DataGuards;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationLog;
import dev.fulmar.coordinator.routing.PartitionPlans;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.table.BucketStaging;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.reconfig.move.ReconfigurationStatus.State;
import dev.fulmar.reconfig.plan.PlanDifference;
import dev.fulmar.reconfig.plan.RangeMove;
import dev.fulmar.reconfig.step.MoveStep;
import dev.fulmar.reconfig.step.MoveStepFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Moves buckets, one after another, until the partition plan is the one that was asked for. For a database whose
 * partitions one node leads. Thread-safe.
 */
public final class Reconfiguration {
    private static final long RETRY_NANOS = 100_000_000;

    private final MovePorts ports;
    private final RandomSource random;
    private final Consumer<String> log;
    private final Progress progress = new Progress();
    private volatile ReconfigurationStatus status = ReconfigurationStatus.NONE;

    // Of tasks alone.
    private @Nullable PartitionPlan target;
    private ReconfigurationSettings settings = ReconfigurationSettings.DEFAULT;
    private @Nullable BucketMove current;
    private @Nullable BucketDivision division;

    /** Whether a choice, a cut or a move is under way, after which the next one comes. */
    private boolean isBusy;

    /** @param progress told of what an operator should find in the log of the node */
    public Reconfiguration(
            ReconfigurationLog log,
            DataGuards guards,
            PartitionPlans plans,
            Scheduler scheduler,
            Clock clock,
            RandomSource random,
            Consumer<String> progress) {
        ports = new MovePorts(log, guards, plans, scheduler, clock, new SerialTasks());
        this.random = random;
        this.log = progress;
    }

    /** State of the newest reconfiguration. */
    public ReconfigurationStatus status() {
        return status;
    }

    /** Drops what partitions have staged for reconfigurations of an earlier process. Once, before the first start. */
    public void dropLeftovers() {
        for (int partition = 0; partition < ports.plans().newest().partitionCount(); partition++) {
            PartitionId id = new PartitionId(partition);
            ports.log()
                    .inspect(
                            id,
                            data -> {
                                for (BucketStaging staging :
                                        data.buckets().moves().stagings()) {
                                    drop(id, staging.move());
                                }
                            },
                            stopped -> {});
        }
    }

    private void drop(PartitionId partition, long move) {
        ports.log()
                .write(
                        partition,
                        data -> {
                            data.buckets().moves().drop(move);
                            return MoveStepFormat.write(new MoveStep.Drop(move));
                        },
                        ports.told(
                                () -> log.accept(
                                        "partition " + partition + " dropped what move " + move + " had staged"),
                                failed -> log.accept("partition " + partition + " keeps what move " + move
                                        + " had staged until the next start: " + failed.getMessage())));
    }

    /**
     * Begins to move keys until the plan is the target.
     *
     * @return the status after the beginning. Fails with {@link ErrorCode#SERVER_BUSY} while another reconfiguration is
     *     under way, and with {@link ErrorCode#INVALID_CONFIGURATION} for a plan that cannot follow the present one
     */
    public CompletableFuture<ReconfigurationStatus> start(PartitionPlan wanted, ReconfigurationSettings pace) {
        return asked(() -> {
            if (status.state() == State.RUNNING || status.state() == State.PAUSED) {
                throw new FulmarException(
                        ErrorCode.SERVER_BUSY, "a reconfiguration is under way; wait for its end, or cancel it first");
            }
            int ranges = PlanDifference.between(ports.plans().newest(), wanted).size();
            target = wanted;
            settings = pace;
            status = ReconfigurationStatus.begun(ranges);
            log.accept("a reconfiguration begins; " + ranges + " ranges change their partition");
            next();
        });
    }

    /** Undoes the bucket that moves, and moves no other before {@link #resume}. */
    public CompletableFuture<ReconfigurationStatus> pause() {
        return asked(() -> {
            need(State.RUNNING);
            end(State.PAUSED);
        });
    }

    /** Goes on after a pause. */
    public CompletableFuture<ReconfigurationStatus> resume() {
        return asked(() -> {
            need(State.PAUSED);
            become(State.RUNNING, "");
            next();
        });
    }

    /** Undoes the bucket that moves, and ends. Buckets that were handed over stay where they are. */
    public CompletableFuture<ReconfigurationStatus> cancel() {
        return asked(() -> {
            if (status.state() != State.RUNNING) {
                need(State.PAUSED);
            }
            end(State.CANCELLED);
        });
    }

    private CompletableFuture<ReconfigurationStatus> asked(Runnable action) {
        CompletableFuture<ReconfigurationStatus> answer = new CompletableFuture<>();
        ports.run(() -> {
            try {
                action.run();
                answer.complete(status);
            } catch (FulmarException refused) {
                answer.completeExceptionally(refused);
            }
        });
        return answer;
    }

    private void need(State state) {
        if (status.state() != state) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the reconfiguration is " + status.state() + ", not " + state + "; see its status");
        }
    }

    /** The bucket that moves is given up, unless it is being handed over. */
    private void end(State state) {
        become(state, "");
        FulmarException why = new FulmarException(ErrorCode.CANCELLED, "the reconfiguration is " + state);
        BucketMove moving = current;
        if (moving != null) {
            moving.giveUp(why);
        }
        BucketDivision cutting = division;
        if (cutting != null) {
            cutting.giveUp(why);
        }
    }

    private void become(State state, String message) {
        status = status.with(state, message);
        log.accept("the reconfiguration is " + state + (message.isEmpty() ? "" : ": " + message));
    }

    /** Chooses what comes next, if nothing is under way. */
    private void next() {
        PartitionPlan wanted = target;
        if (isBusy || status.state() != State.RUNNING || wanted == null) {
            return;
        }
        PartitionPlan plan = ports.plans().newest();
        List<RangeMove> moves = PlanDifference.between(plan, wanted);
        show(moves.size(), "");
        if (moves.isEmpty()) {
            target = null;
            become(State.DONE, "");
            return;
        }
        isBusy = true;
        PartitionId source = new PartitionId(moves.getFirst().source());
        ports.log()
                .inspect(
                        source,
                        data -> {
                            Optional<BucketChoice> choice =
                                    BucketChoice.of(data.buckets().bounds(), plan, wanted, source.number());
                            ports.run(() -> chosen(source, choice));
                        },
                        ports.toldBy(progress::undone));
    }

    private void chosen(PartitionId source, Optional<BucketChoice> choice) {
        switch (choice.orElse(null)) {
            case BucketChoice.Cut cut -> {
                show(status.rangesLeft(), "cutting bucket " + cut.bucket() + " of partition " + source);
                BucketDivision begun = new BucketDivision(ports, source, cut, this::cut);
                division = begun;
                begun.begin();
            }
            case BucketChoice.Move move -> {
                BucketMove begun = new BucketMove(ports, settings, random.nextLong(), source, move, progress);
                current = begun;
                show(status.rangesLeft(), begun.toString());
                begun.begin();
            }
            case null ->
                progress.undone(new FulmarException(
                        ErrorCode.INTERNAL, "no bucket of partition " + source + " has keys that are to leave"));
        }
    }

    private void cut(Optional<FulmarException> failure) {
        if (failure.isPresent()) {
            progress.undone(failure.get());
        } else {
            goOn();
        }
    }

    private void goOn() {
        current = null;
        division = null;
        isBusy = false;
        show(status.rangesLeft(), "");
        next();
    }

    private void show(int rangesLeft, String bucket) {
        status = status.at(rangesLeft, bucket);
    }

    /** The results of choices, cuts and moves. */
    private final class Progress implements BucketMove.Listener {
        @Override
        public void sent(int bytes) {
            status = status.sent(bytes);
        }

        @Override
        public void handedOver(long rows, long pauseNanos) {
            status = status.handedOver(rows, pauseNanos);
            goOn();
        }

        @Override
        public void undone(FulmarException cause) {
            switch (cause.code()) {
                case TRANSACTION_RESTART, SERVER_BUSY -> ports.runLater(RETRY_NANOS, Reconfiguration.this::goOn);
                case CANCELLED -> goOn();
                default -> {
                    if (status.state() == State.RUNNING) {
                        become(State.PAUSED, String.valueOf(cause.getMessage()));
                    }
                    goOn();
                }
            }
        }
    }
}
