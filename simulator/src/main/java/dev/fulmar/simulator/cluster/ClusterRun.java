package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.simulator.campaign.Ledger;
import dev.fulmar.simulator.crash.PlanCache;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.verify.ProbeCounts;
import dev.fulmar.simulator.workload.WishSource;
import dev.fulmar.simulator.world.WorldClock;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One run from one seed: a cluster, its clients, the faults, and the judges. */
public final class ClusterRun {
    /** Probe: a fault met a move under way. */
    private static final String STRUCK_MOVE = "STRUCK_MOVE";

    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long BEGIN_NANOS = 30 * SECOND_NANOS;
    private static final long ROUND_NANOS = 25 * SECOND_NANOS;

    /** From this seed on there are clients that change the catalog. */
    public static final long FIRST_WITH_CHANGES = 1_000_000;

    /** From this seed on keys are moved between partitions; in every third run clients change the catalog too. */
    public static final long FIRST_WITH_MOVES = 1_500_000_000;

    /** From this seed on faults are steered: {@link Manoeuvres} instead of a {@link FaultPlan}. */
    public static final long FIRST_STEERED = 2_000_000_000;

    /** From this seed on they are steered, and there are clients that change the catalog. */
    public static final long FIRST_STEERED_WITH_CHANGES = 3_000_000_000L;

    /** From this seed on they are steered, and keys are moved between partitions. */
    public static final long FIRST_STEERED_WITH_MOVES = 4_000_000_000L;

    private static final long STEERED_ROUND_NANOS = 3 * SECOND_NANOS;

    private final long seed;
    private final long durationNanos;
    private final @Nullable Set<Integer> onlyFaults;
    private final SimulatedWorld world;
    private final ClusterScenario scenario;
    private final ProbeCounts probes = new ProbeCounts();
    private final Ledger ledger = new Ledger();
    private final SimulatedCluster cluster;
    private final FaultInjector injector;
    private final Manoeuvres manoeuvres;
    private final ClusterAccess access;
    private final HistoryRecorder recorder;
    private final ClusterVerdict verdict;
    private final AtomicLong lastValue = new AtomicLong();
    private final List<ClusterClient> clients = new ArrayList<>();
    private final SessionClients sessions;
    private final KeyClients keys;
    private final ViewClient views;
    private final CatalogDisturbers disturbers;
    private final PlanOperator operator;
    private final CopiesWatch watch;
    private final OwnershipWatch ownership;
    private final Finale finale;

    /**
     * @param durationNanos of virtual time in which things go wrong
     * @param onlyFaults numbers of those that happen; null for all
     * @param sql which other runs may share, also at the same time
     */
    public ClusterRun(long seed, long durationNanos, @Nullable Set<Integer> onlyFaults, PlanCache sql) {
        this.seed = seed;
        this.durationNanos = durationNanos;
        this.onlyFaults = onlyFaults;
        this.world = new SimulatedWorld(seed);
        this.scenario = scenario(world, seed);
        this.cluster = new SimulatedCluster(world, scenario, sql, probes, ledger::violation);
        this.injector = new FaultInjector(cluster);
        this.manoeuvres = new Manoeuvres(
                cluster,
                injector,
                scenario.isSteered()
                        ? ManoeuvrePlan.draw(world.random("manoeuvre plan"), Theme.of(seed), steeredNumber(seed))
                        : List.of());
        this.access = new ClusterAccess(cluster, injector);
        this.recorder = new HistoryRecorder(new WorldClock(world));
        this.verdict = new ClusterVerdict(cluster, access, recorder, ledger);
        this.watch = new CopiesWatch(cluster);
        this.ownership = new OwnershipWatch(cluster, probes);
        this.finale = new Finale(cluster);
        this.sessions = new SessionClients(cluster);
        this.keys = new KeyClients(cluster, verdict);
        this.views = new ViewClient(cluster, access);
        this.disturbers = new CatalogDisturbers(cluster, access, injector, recorder, verdict);
        this.operator = new PlanOperator(cluster);
    }

    /**
     * Faults of a seed's run, unless only some of them are chosen; none of a steered run, where each step depends on
     * what was before.
     */
    public static List<Fault> faults(long seed, long durationNanos) {
        if (isSteered(seed)) {
            return List.of();
        }
        SimulatedWorld world = new SimulatedWorld(seed);
        ClusterScenario scenario = scenario(world, seed);
        return FaultPlan.draw(world.random("fault plan"), scenario, durationNanos)
                .faults();
    }

    private static ClusterScenario scenario(SimulatedWorld world, long seed) {
        RandomSource random = world.random("scenario");
        if (!isSteered(seed)) {
            return seed >= FIRST_WITH_MOVES
                    ? ClusterScenario.draw(random, seed % 3 == 0).movingKeys()
                    : ClusterScenario.draw(random, seed >= FIRST_WITH_CHANGES);
        }
        Theme theme = Theme.of(seed);
        return ClusterScenario.drawSteered(random, theme, Shape.numbered(steeredNumber(seed), theme));
    }

    /** Counts the steered seeds of a theme from 0. */
    private static long steeredNumber(long seed) {
        return seed - Theme.of(seed).firstSeed();
    }

    private static boolean isSteered(long seed) {
        return seed >= FIRST_STEERED;
    }

    /** Does it all; called once. */
    public ClusterReport run() {
        try {
            begin();
            rounds();
            end();
        } catch (RuntimeException | Error defect) { // whatever breaks is what the run is for
            StringWriter trace = new StringWriter();
            defect.printStackTrace(new PrintWriter(trace));
            ledger.violation("a defect: " + trace);
            cluster.note("a defect: " + defect);
        } finally {
            cluster.abandon();
        }
        return new ClusterReport(
                seed,
                scenario.toString(),
                world.hash(),
                world.executedEvents(),
                world.nowNanos(),
                injector.effective(),
                committed(),
                probes,
                new MoveTally(
                        scenario.movesKeys(),
                        operator.ended(),
                        injector.struckMoves().count()),
                ledger.violations(),
                cluster.complaints(),
                cluster.diary());
    }

    private long committed() {
        return clients.stream().mapToLong(ClusterClient::committed).sum();
    }

    private void begin() {
        cluster.found();
        if (!cluster.comesTo(cluster::allInSync, BEGIN_NANOS)) {
            throw new IllegalStateException("the cluster does not come up\n" + cluster.describe());
        }
        for (int number = 1; number <= scenario.clients(); number++) {
            WishSource wishes =
                    new WishSource(scenario.mix(), world.random("wishes-" + number), lastValue, scenario.generation());
            clients.add(new ClusterClient(number, cluster, access, wishes, recorder, ledger, durationNanos));
        }
        openAccounts();
        cluster.note("clients begin");
        watch.begin();
        if (scenario.movesKeys()) {
            ownership.begin();
        }
        new DiskWatch(cluster).begin();
        clients.forEach(ClusterClient::work);
        sessions.begin(
                injector,
                access,
                number -> new WishSource(
                        scenario.mix(), world.random("session-wishes-" + number), lastValue, scenario.generation()),
                recorder,
                ledger);
        keys.begin(access);
        if (scenario.movesKeys()) {
            views.work();
        }
        disturbers.begin();
        operator.begin();
    }

    private void openAccounts() {
        AtomicLong open = new AtomicLong();
        for (long id = 1; id <= scenario.mix().accounts(); id++) {
            verdict.execute(
                    "INSERT INTO account (id, balance) VALUES (?, ?)",
                    reply -> open.incrementAndGet(),
                    id,
                    scenario.mix().balance());
        }
        if (!world.runUntil(() -> open.get() == scenario.mix().accounts(), BEGIN_NANOS)) {
            throw new IllegalStateException("the accounts cannot be opened\n" + cluster.describe());
        }
    }

    /** Time in which things go wrong, and are mended, again and again. */
    private void rounds() {
        FaultPlan plan = scenario.isSteered()
                ? new FaultPlan(List.of())
                : FaultPlan.draw(world.random("fault plan"), scenario, durationNanos);
        if (onlyFaults != null) {
            plan = plan.only(onlyFaults);
        }
        long rounds = Math.max(1, durationNanos / (scenario.isSteered() ? STEERED_ROUND_NANOS : ROUND_NANOS));
        long roundNanos = durationNanos / rounds;
        for (long round = 0; round < rounds && ledger.violations().isEmpty(); round++) {
            injector.begin(plan, round * roundNanos, (round + 1) * roundNanos);
            manoeuvres.begin();
            world.runFor(roundNanos);
            manoeuvres.end();
            injector.heal();
            operator.settles();
            verdict.progresses(clients, disturbers);
        }
    }

    private void end() {
        verdict.calm(clients);
        sessions.calm();
        keys.calm();
        views.rest();
        disturbers.calm();
        operator.calm();
        probes.reached(ClusterPath.RECONFIGURED.name(), operator.ended());
        probes.reached(STRUCK_MOVE, injector.struckMoves().count());
        if (finale.happens()) {
            quietAndInSync();
            verdict.compareCopies(clients);
            finale.play();
        }
        verdict.judge(WishSource.listsUntil(scenario.mix(), scenario.generation(), lastValue.get()));
        quietAndInSync();
        verdict.nothingIsLeft();
        sessions.judge();
        keys.judge();
        if (scenario.movesKeys()) {
            verdict.judgeViews();
        }
        disturbers.judge();
        verdict.compareCopies(clients);
        for (int partition = 0; partition < scenario.partitions(); partition++) {
            PartitionRecord record = cluster.record(partition);
            world.note(record == null ? "none" : record.toString());
        }
    }

    private void quietAndInSync() {
        if (!cluster.comesTo(cluster::isAtRest, BEGIN_NANOS)) {
            ledger.violation(
                    "copies are not in sync at the end, or nodes do not lead that should\n" + cluster.describe());
        }
        world.runFor(SECOND_NANOS);
    }
}
