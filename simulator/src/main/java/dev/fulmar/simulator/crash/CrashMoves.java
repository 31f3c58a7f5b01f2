package dev.fulmar.simulator.crash;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationLog;
import dev.fulmar.engine.execution.SequencePlaces;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.reconfig.move.Reconfiguration;
import dev.fulmar.reconfig.move.ReconfigurationStatus;
import dev.fulmar.simulator.crash.CrashTally.Reached;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Moves of keys between the partitions of a database in a crash run. */
final class CrashMoves {
    private static final int WATCH_NANOS = 50_000;
    private static final int MAX_PAUSE_NANOS = 500_000;
    /** Less than buckets of several keys have, so that every other plan has them cut. */
    private static final int PART_BYTES = 4_000;

    private static final int MOST_CHUNK_BYTES = 300;
    private static final int MOST_DELAY_NANOS = 20_000;
    private static final int MOST_KEYS = 8;
    private static final int CANCELLED_ONE_IN = 3;

    /** Longer than a destination keeps rows of a move of which it hears nothing. */
    private static final long END_NANOS = 30_000_000_000L;

    private final SimulatedWorld world;
    private final SimulatedDatabase simulated;
    private final Database database;
    private final RandomSource random;
    private final Consumer<String> violations;
    private final Reconfiguration reconfiguration;
    private long handedOver;

    CrashMoves(SimulatedWorld world, SimulatedDatabase simulated, RandomSource random, Consumer<String> violations) {
        this.world = world;
        this.simulated = simulated;
        this.database = simulated.database();
        this.random = random;
        this.violations = violations;
        reconfiguration = simulated.reconfiguration(random.split("moves"));
    }

    /** Reaches so many plans that it draws, one after another; the end is told once. */
    void start(int plans, Runnable ended) {
        reconfiguration.begin();
        next(plans, ended);
    }

    private void next(int plans, Runnable ended) {
        if (plans == 0) {
            reconfiguration.stop();
            ended.run();
        } else {
            later(random.nextInt(MAX_PAUSE_NANOS), () -> begin(plans, ended));
        }
    }

    private void later(int nanos, Runnable task) {
        world.schedule(nanos, "moves", () -> {
            if (simulated.process().isAlive()) {
                task.run();
            }
        });
    }

    private void begin(int plans, Runnable ended) {
        MovePace pace = new MovePace(
                1 + random.nextInt(MOST_CHUNK_BYTES),
                random.nextInt(MOST_DELAY_NANOS),
                MovePace.UNLIMITED,
                MovePace.DEFAULT.mostSharePercent(),
                plans % 2 == 0 ? PART_BYTES : MovePace.WHOLE);
        PartitionPlan target = drawn();
        heard("a start", reconfiguration.start(_ -> target, pace), () -> watch(plans, ended));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the failure is noted
    private void heard(String what, CompletableFuture<ReconfigurationStatus> answer, Runnable then) {
        answer.whenComplete((status, failure) -> {
            if (simulated.process().isAlive()) {
                if (failure != null) {
                    violations.accept(what + " of a reconfiguration: " + failure);
                }
                then.run();
            }
        });
    }

    private void watch(int plans, Runnable ended) {
        later(WATCH_NANOS, () -> {
            ReconfigurationStatus status = reconfiguration.status();
            if (!status.message().isEmpty()) {
                violations.accept("a reconfiguration waits: " + status.message());
            }
            if (status.state() == ReconfigurationStatus.State.RUNNING) {
                watch(plans, ended);
            } else {
                handedOver += status.moved().bucketsMoved();
                next(plans - 1, ended);
            }
        });
    }

    private PartitionPlan drawn() {
        PartitionPlan plan = database.plans().newest();
        PartitionPlan target = plan;
        for (int change = 1 + random.nextInt(3); change > 0; change--) {
            target = target.with(range(plan), random.nextInt(plan.partitionCount()));
        }
        return SequencePlaces.keep(plan, target);
    }

    /** One key, or a quarter of all. */
    private KeyRange range(PartitionPlan plan) {
        if (random.nextInt(2) == 0) {
            long position = plan.positionOf(1L + random.nextInt(MOST_KEYS));
            return new KeyRange(KeySpace.HASH, position, position);
        }
        long quarter = 1L << (Long.SIZE - 2);
        long first = random.nextInt(4) * quarter;
        return new KeyRange(KeySpace.HASH, first, first + (quarter - 1));
    }

    /**
     * Has the reconfiguration under way go on after a crash, or cancels it. Nothing that it staged is left then: there
     * are no rows but those of tables.
     */
    void settle(CrashTally tally) {
        List<Integer> staged = staged();
        tally.reached(Reached.STAGED_ROWS_RECOVERED, staged.isEmpty() ? 0 : 1);
        PlanTarget target = database.plans().target();
        boolean isUnderWay = target != null && target.state() == PlanTarget.State.RUNNING;
        tally.reached(Reached.MOVE_RECOVERED, isUnderWay ? 1 : 0);
        reconfiguration.begin();
        if (isUnderWay && random.nextInt(CANCELLED_ONE_IN) == 0) {
            cancel();
        }
        boolean isOver = world.runUntil(
                () -> reconfiguration.status().state() != ReconfigurationStatus.State.RUNNING, END_NANOS);
        if (!isOver) {
            violations.accept("a reconfiguration does not end: " + reconfiguration.status());
        }
        PlanTarget last = database.plans().target();
        if (last != null
                && last.state() == PlanTarget.State.DONE
                && !last.plan().hasSameOwners(database.plans().newest())) {
            violations.accept("a reconfiguration is done whose plan does not count");
        }
        long end = world.nowNanos() + END_NANOS;
        for (staged = staged(); !staged.isEmpty() && world.nowNanos() < end; staged = staged()) {
            world.runFor(END_NANOS / 30);
        }
        if (!staged.isEmpty()) {
            violations.accept("partitions " + staged + " keep staged rows of moves that have ended");
        }
        reconfiguration.stop();
    }

    /** It may have ended meanwhile, and is refused then. */
    private void cancel() {
        CompletableFuture<ReconfigurationStatus> answer = reconfiguration.cancel();
        world.runUntil(answer::isDone, END_NANOS);
        if (answer.isCompletedExceptionally() && answer.exceptionNow() instanceof FulmarException refused) {
            PlanTarget target = database.plans().target();
            if (target == null || target.state() != PlanTarget.State.DONE) {
                violations.accept("a cancel of a reconfiguration: " + refused.getMessage());
            }
        }
    }

    /** Partitions with staged rows. */
    private List<Integer> staged() {
        ReconfigurationLog log = database.reconfiguration();
        List<Integer> staged = new ArrayList<>();
        for (int partition = 0; partition < database.plans().newest().partitionCount(); partition++) {
            int number = partition;
            CompletableFuture<Boolean> has = new CompletableFuture<>();
            log.inspect(
                    new PartitionId(partition),
                    data -> has.complete(!data.buckets().moves().stagings().isEmpty()),
                    has::completeExceptionally);
            world.runUntil(has::isDone, END_NANOS);
            if (has.join()) {
                staged.add(number);
            }
        }
        return staged;
    }

    /** Buckets that were handed over. */
    long handedOver() {
        return handedOver;
    }
}
