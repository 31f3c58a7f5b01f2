package dev.fulmar.simulator.campaign;

import dev.fulmar.coordinator.Database;
import dev.fulmar.engine.execution.SequencePlaces;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.reconfig.move.Reconfiguration;
import dev.fulmar.reconfig.move.ReconfigurationStatus;
import dev.fulmar.simulator.verify.ProbeCounts;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Moves keys between partitions while the clients run, by plans that it draws; pauses and cancels some. */
final class PlanDisturbance {
    private static final int WATCH_NANOS = 20_000;

    /** A reconfiguration that is watched so often is paused once, and cancelled once. */
    private static final int DISTURBED_ONE_IN = 3_000;

    private static final int MOST_CHUNK_BYTES = 400;
    private static final int MOST_DELAY_NANOS = 20_000;

    private final SimulatedWorld world;
    private final Database database;
    private final Reconfiguration reconfiguration;
    private final RandomSource random;
    private final int keys;
    private final int maxPauseNanos;
    private final Ledger ledger;
    private final ProbeCounts probes;

    /**
     * @param keys that clients use, from 0 on
     * @param maxPauseNanos between one plan and the next
     */
    PlanDisturbance(
            SimulatedWorld world,
            SimulatedDatabase simulated,
            RandomSource random,
            int keys,
            int maxPauseNanos,
            Ledger ledger,
            ProbeCounts probes) {
        this.world = world;
        this.database = simulated.database();
        this.random = random;
        this.keys = keys;
        this.maxPauseNanos = maxPauseNanos;
        this.ledger = ledger;
        this.probes = probes;
        reconfiguration = simulated.reconfiguration(random.split("moves"));
    }

    /** Takes so many plans, one after another. */
    void start(int plans) {
        if (plans > 0) {
            reconfiguration.begin();
            next(plans);
        }
    }

    private void next(int plans) {
        if (plans > 0) {
            ledger.sent();
            world.schedule(random.nextInt(maxPauseNanos), "a plan comes", () -> begin(plans));
        } else {
            reconfiguration.stop();
        }
    }

    private void begin(int plans) {
        asked(
                reconfiguration.start(
                        drawn(),
                        new MovePace(
                                1 + random.nextInt(MOST_CHUNK_BYTES),
                                random.nextInt(MOST_DELAY_NANOS),
                                MovePace.UNLIMITED)),
                "the start",
                () -> watch(plans));
    }

    /** Changes to the plan that counts once they do; drawn at once, so that a second try draws no others. */
    private UnaryOperator<PartitionPlan> drawn() {
        PartitionPlan plan = database.plans().newest();
        List<UnaryOperator<PartitionPlan>> changes = new ArrayList<>();
        for (int change = 1 + random.nextInt(3); change > 0; change--) {
            KeyRange range = range(plan);
            int partition = random.nextInt(plan.partitionCount());
            changes.add(changed -> changed.with(range, partition));
        }
        return present -> {
            PartitionPlan target = present;
            for (UnaryOperator<PartitionPlan> change : changes) {
                target = change.apply(target);
            }
            return SequencePlaces.keep(present, target);
        };
    }

    private KeyRange range(PartitionPlan plan) {
        if (plan.spaceOfIntegers() == KeySpace.INTEGER && random.nextInt(4) > 0) {
            long first = random.nextInt(keys + 2);
            return new KeyRange(KeySpace.INTEGER, first, first + random.nextInt(3));
        }
        if (random.nextInt(2) == 0) {
            long position = plan.positionOf((long) random.nextInt(keys + 2));
            if (plan.spaceOfIntegers() == KeySpace.HASH) {
                return new KeyRange(KeySpace.HASH, position, position);
            }
        }
        long first = random.nextLong();
        long most = random.nextLong() >>> (2 + random.nextInt(3));
        return new KeyRange(KeySpace.HASH, first, first > Long.MAX_VALUE - most ? Long.MAX_VALUE : first + most);
    }

    private void watch(int plans) {
        world.schedule(WATCH_NANOS, "a plan is watched", () -> {
            ReconfigurationStatus status = reconfiguration.status();
            switch (status.state()) {
                case RUNNING -> disturb(() -> watch(plans));
                case PAUSED -> {
                    if (!status.message().isEmpty()) {
                        ledger.violation("a reconfiguration waits: " + status.message());
                    }
                    asked(
                            random.nextInt(4) == 0 ? reconfiguration.cancel() : reconfiguration.resume(),
                            "a cancel or resume",
                            () -> watch(plans));
                }
                case DONE, CANCELLED, NONE -> {
                    if (status.moved().current().isEmpty()) {
                        ended(status, plans);
                    } else {
                        watch(plans); // what was under way is being undone
                    }
                }
            }
        });
    }

    private void disturb(Runnable then) {
        int choice = random.nextInt(DISTURBED_ONE_IN);
        if (choice == 0) {
            tried(reconfiguration.pause(), then);
        } else if (choice == 1) {
            tried(reconfiguration.cancel(), then);
        } else {
            then.run();
        }
    }

    /** It may have reached its end meanwhile, and is refused then. */
    @SuppressWarnings("FutureReturnValueIgnored") // the next look shows the state
    private void tried(CompletableFuture<ReconfigurationStatus> answer, Runnable then) {
        answer.whenComplete((status, failure) -> {
            boolean isRefused =
                    failure instanceof FulmarException refused && refused.code() == ErrorCode.INVALID_CONFIGURATION;
            if (failure != null && !isRefused) {
                ledger.violation("a pause or cancel of a reconfiguration: " + failure);
            }
            then.run();
        });
    }

    private void ended(ReconfigurationStatus status, int plans) {
        if (status.moved().bucketsMoved() > 0) {
            probes.reached(RarePath.BUCKET_MOVED.name(), status.moved().bucketsMoved());
        }
        ledger.answered();
        next(plans - 1);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the failure is noted
    private void asked(CompletableFuture<ReconfigurationStatus> answer, String what, Runnable then) {
        answer.whenComplete((status, failure) -> {
            if (failure != null) {
                ledger.violation(what + " of a reconfiguration: " + failure);
            }
            then.run();
        });
    }
}
