package dev.fulmar.simulator.crash;

import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.durability.checkpoint.Checkpoints;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.CrashingStorage;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.simulator.campaign.Replies;
import dev.fulmar.simulator.crash.CrashTally.Reached;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.world.SimulatedDatabase;
import dev.fulmar.simulator.world.WorldClock;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Crash run of one seed: at the storage calls of a database under load, a copy of its disk is crashed, recovered and
 * judged. The database recovers and works under load once, and works on after each of these forks. Everything follows
 * from the seed.
 */
public final class ForkingRun {
    private static final int POWER_FAILURES_IN_FOUR = 3;
    private static final int BETWEEN_ONE_IN = 48;

    /** Reconfigurations of a life in which keys move. */
    private static final int PLANS = 4;

    /** Time that the first rows have to get into checkpoints. */
    private static final long CHECKPOINTS_NANOS = 50_000_000;

    private static final long POINT_FACTOR = 0x9E3779B97F4A7C15L;

    private final long seed;
    private final Plan plan;
    private final CrashTally tally;
    private final BooleanSupplier enough;
    private final SimulatedWorld world;
    private final SeededRandom random;
    private final CrashSetup setup;
    private final boolean lists;
    private @Nullable CrashLife life;
    private @Nullable HistoryRecorder recorder;
    private long points;
    private boolean forking;

    /**
     * Plan of a run.
     *
     * @param asks what each client asks for
     * @param catalogRounds rounds of changes of the catalog
     * @param stride one point of so many is tried
     * @param bugs what the database's storage leaves out
     * @param movesKeys whether keys move between partitions meanwhile; then all seeds have lists
     */
    public record Plan(
            DurabilityMode mode,
            int asks,
            int catalogRounds,
            int stride,
            Set<CrashingStorage.Bug> bugs,
            boolean movesKeys) {
        public Plan {
            bugs = Set.copyOf(bugs);
        }
    }

    /** @param enough asked at every point: whether no more need be tried */
    public ForkingRun(long seed, Plan plan, PlanCache sql, CrashTally tally, BooleanSupplier enough) {
        this.seed = seed;
        this.plan = plan;
        this.tally = tally;
        this.enough = enough;
        this.world = new SimulatedWorld(seed);
        this.random = world.random("forks");
        this.lists = seed % 2 != 0 || plan.movesKeys();
        SeededRandom scenario = world.random("scenario");
        CrashWorkload workload = new StampedWorkload(
                lists ? new ListWorkload(scenario, plan.movesKeys() ? 2 : 1) : new TpccCrashWorkload(scenario));
        this.setup = new CrashSetup(workload, plan.mode(), sql, plan.movesKeys());
    }

    /** Does it all; called once. */
    public void run() {
        try {
            long[] base = found();
            HistoryRecorder history = lists ? new HistoryRecorder(new WorldClock(world)) : null;
            recorder = history;
            SimulatedProcess process = world.startProcess(CrashSetup.NODE);
            CrashingStorage storage =
                    new CrashingStorage(process).with(plan.bugs()).watchedBy(this::point);
            CommitOrder order = setup.order();
            SimulatedDatabase database = setup.database(world, process, storage, order, line -> {}, this::violation);
            CrashLife current = new CrashLife(world, setup, database, order, base, 0, history, this::violation);
            life = current;
            forking = true;
            database.start();
            current.begin(plan.asks(), plan.catalogRounds());
            CrashMoves moves = plan.movesKeys() ? moves(database, current) : null;
            current.finish(this::between);
            forking = false;
            tally.reached(Reached.HANDED_OVER, moves == null ? 0 : moves.handedOver());
            note(database, current);
            process.crash();
            database.abandon();
        } catch (RuntimeException | Error defect) { // whatever breaks is what the run is for
            violation("a defect: " + defect);
        }
    }

    private CrashMoves moves(SimulatedDatabase database, CrashLife current) {
        CrashMoves moves = new CrashMoves(world, database, world.random("moves"), this::violation);
        moves.start(PLANS, current.another());
        return moves;
    }

    /** The first life: tables, procedures and rows; returns the workload's numbers. */
    private long[] found() {
        SimulatedProcess founder = world.startProcess(CrashSetup.NODE);
        SimulatedDatabase database =
                setup.database(world, founder, founder.storage(), setup.order(), line -> {}, this::violation);
        database.prepare(setup.workload().jar(0), setup.workload().statements());
        setup.workload().fill(database);
        world.runFor(CHECKPOINTS_NANOS);
        long[] base = setup.workload().observe((text, arguments) -> Replies.decode(database.execute(text, arguments)));
        founder.crash();
        database.abandon();
        return base;
    }

    private void note(SimulatedDatabase database, CrashLife current) {
        tally.reached(Reached.ACKNOWLEDGED, current.acknowledgedCount());
        tally.reached(Reached.CATALOG_CHANGE, current.catalogChanges());
        Durability durability = database.database().durability();
        Checkpoints checkpoints = durability == null ? null : durability.checkpoints();
        if (durability != null && checkpoints != null) {
            tally.reached(Reached.CHECKPOINT, checkpoints.counters().checkpoints());
            tally.reached(Reached.WRITTEN_BACK, checkpoints.counters().reclaimedSegments());
            tally.reached(Reached.SEGMENT_REUSED, durability.counters().reusedSegments());
        }
    }

    private void violation(String text) {
        tally.violation("seed " + seed + ": " + text);
    }

    private void point(CrashingStorage.@Nullable TornWrite torn) {
        if (!forking || enough.getAsBoolean()) {
            return;
        }
        points++;
        if (points % plan.stride() == 0) {
            if (torn != null) {
                tally.reached(Reached.TORN_WRITE, 1);
            }
            fork(torn, "point " + points);
        }
    }

    private void between() {
        if (forking && random.nextInt(BETWEEN_ONE_IN * plan.stride()) == 0 && !enough.getAsBoolean()) {
            tally.reached(Reached.BETWEEN_CALLS, 1);
            fork(null, "after point " + points);
        }
    }

    private void fork(CrashingStorage.@Nullable TornWrite torn, String where) {
        CrashLife current = life;
        if (current == null) {
            return;
        }
        boolean powerFails = random.nextInt(4) < POWER_FAILURES_IN_FOUR;
        tally.reached(Reached.CRASH, 1);
        tally.reached(Reached.POWER_FAILURE, powerFails ? 1 : 0);
        HistoryRecorder history = recorder;
        forking = false;
        List<String> violations = new Aftermath(setup, tally, random.nextLong() ^ points * POINT_FACTOR, powerFails)
                .of(
                        world.disk(CrashSetup.NODE),
                        world.nowNanos(),
                        torn,
                        current,
                        history == null ? null : history.historySoFar());
        forking = true;
        if (!violations.isEmpty()) {
            violation((powerFails ? "power failure at " : "kill at ") + where + ": " + violations.getFirst());
        }
    }
}
