package dev.fulmar.simulator.campaign;

import dev.fulmar.coordinator.DatabaseFigures;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.engine.partition.counter.PartitionCounters;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.verify.ProbeCounts;
import dev.fulmar.simulator.verify.StrictSerializabilityVerifier;
import dev.fulmar.simulator.verify.Transaction;
import dev.fulmar.simulator.verify.Violation;
import dev.fulmar.simulator.workload.ProcedureEditions;
import dev.fulmar.simulator.workload.Wish;
import dev.fulmar.simulator.workload.WishSource;
import dev.fulmar.simulator.world.SimulatedDatabase;
import dev.fulmar.simulator.world.TimestampWatch;
import dev.fulmar.simulator.world.WorldClock;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/** A simulated run of one node from one seed: its database, its clients, and the verdict on their history. */
public final class SeedRun {
    private static final long MAX_EVENTS = 5_000_000;
    private static final int LEAST_DISTURBANCE_NANOS = 5_000_000;

    /** Between one jump of the clock and the next where there are many. */
    private static final int JUMP_PAUSE_NANOS = 12_500;

    /** Keys move in one of so many runs. */
    private static final int RECONFIGURED_ONE_IN = 3;

    private static final int MOST_PLANS = 4;

    private final long seed;
    private final SimulatedWorld world;
    private final Scenario scenario;
    private final TimestampWatch timestamps;
    private final SimulatedProcess process;
    private final SimulatedDatabase database;
    private final HistoryRecorder recorder;
    private final Ledger ledger = new Ledger();
    private final ProbeCounts probes = new ProbeCounts();
    private final RandomSource disturbances;
    private final RandomSource plans;
    private final boolean isReconfigured;
    private final boolean tellsVersion;

    public SeedRun(long seed, SqlFrontend sql) {
        this.seed = seed;
        this.world = new SimulatedWorld(seed);
        this.scenario = Scenario.draw(world.random("scenario"));
        this.timestamps = new TimestampWatch(scenario.execution().recording());
        this.process = world.startProcess(new NodeId(1));
        this.database = new SimulatedDatabase(
                world,
                process,
                scenario.configuration(),
                sql,
                timestamps,
                scenario.traffic().mostMessageNanos());
        this.recorder = new HistoryRecorder(new WorldClock(world));
        this.disturbances = world.random("disturbances");
        this.plans = world.random("plans");
        this.isReconfigured = plans.nextInt(RECONFIGURED_ONE_IN) == 0;
        this.tellsVersion = isReconfigured && plans.nextInt(2) == 0;
    }

    /** Does it all; called once. */
    public SeedReport run() {
        int transactions = 0;
        int committed = 0;
        try {
            prepare();
            runClients();
            collectProbes();
            FinalState state = new FinalState(this::ask, scenario.mix(), ledger);
            state.read(recorder);
            List<Transaction> history = recorder.history();
            transactions = history.size();
            committed = (int) history.stream()
                    .filter(transaction -> transaction.outcome() == Transaction.Outcome.OK)
                    .count();
            for (Violation violation :
                    new StrictSerializabilityVerifier().verify(history).violations()) {
                ledger.violation(violation.toString());
            }
            state.check(history);
            timestamps.breaches().forEach(ledger::violation);
            database.stop();
        } catch (RuntimeException | Error defect) { // whatever breaks is what the run is for
            StringWriter trace = new StringWriter();
            defect.printStackTrace(new PrintWriter(trace));
            ledger.violation("a defect: " + trace);
        }
        return new SeedReport(
                seed,
                scenario.toString(),
                world.hash(),
                world.executedEvents(),
                world.nowNanos(),
                transactions,
                committed,
                probes,
                ledger.violations());
    }

    private Wish.Reply ask(String sql, Object... arguments) {
        return Replies.decode(database.execute(sql, arguments));
    }

    private void prepare() {
        database.prepare(ProcedureEditions.jar(ProcedureEditions.FIRST), SerializabilityScript.statements());
        for (long id = 1; id <= scenario.mix().accounts(); id++) {
            database.execute(
                    "INSERT INTO account (id, balance) VALUES (?, ?)",
                    id,
                    scenario.mix().balance());
        }
    }

    private void runClients() {
        process.stutter(scenario.execution().longStepOneIn());
        AtomicLong lastValue = new AtomicLong();
        for (int number = 1; number <= scenario.traffic().clients(); number++) {
            WishSource wishes = new WishSource(scenario.mix(), world.random("wishes-" + number), lastValue);
            new SimulatedClient(
                            number,
                            scenario.traffic(),
                            world,
                            database.database(),
                            this::knownVersion,
                            wishes,
                            recorder,
                            ledger,
                            probes)
                    .start();
        }
        if (isReconfigured) {
            new PlanDisturbance(
                            world,
                            database,
                            plans,
                            scenario.mix().keys(),
                            scenario.disturbances().maxPauseNanos(),
                            ledger,
                            probes)
                    .start(1 + plans.nextInt(MOST_PLANS));
        }
        new CatalogDisturbance(world, database, scenario.disturbances().maxPauseNanos(), recorder, ledger, probes)
                .start(scenario.disturbances().catalogChanges());
        int disturbanceNanos =
                Math.max(LEAST_DISTURBANCE_NANOS, scenario.disturbances().clockJumps() * JUMP_PAUSE_NANOS);
        for (int i = 0; i < scenario.disturbances().clockJumps(); i++) {
            long micros =
                    (long) disturbances.nextInt(2 * scenario.disturbances().mostJumpMicros())
                            - scenario.disturbances().mostJumpMicros();
            world.schedule(
                    disturbances.nextInt(disturbanceNanos),
                    "clock jumps",
                    () -> process.clock().jump(micros));
        }
        ToLongFunction<PartitionCounters> undone = counters -> counters.speculationsUndone.get();
        long before = 0;
        for (long limit = world.executedEvents() + MAX_EVENTS; !ledger.isSettled(); ) {
            if (world.executedEvents() >= limit || !world.step()) {
                ledger.violation("the database stands still: " + ledger.openText());
                return;
            }
            long now = sum(undone);
            if (now > before + 1) {
                probes.reached(RarePath.SPECULATION_CASCADE.name());
            }
            before = now;
        }
    }

    /** The version of the catalog that clients say they know; 0 if they say none. */
    private long knownVersion() {
        return tellsVersion
                ? TransactionRequest.toldVersion(database.database().catalog().version())
                : 0;
    }

    private long sum(ToLongFunction<PartitionCounters> counter) {
        DatabaseFigures figures = database.database().figures();
        long sum = 0;
        for (int partition = 0; partition < scenario.shape().partitions(); partition++) {
            sum += counter.applyAsLong(figures.partition(partition));
        }
        return sum;
    }

    private void collectProbes() {
        probes.reached(RarePath.LOCK_WAIT.name(), sum(counters -> counters.lockWaits.get()));
        probes.reached(RarePath.WOUND.name(), sum(counters -> counters.wounds.get()));
        probes.reached(RarePath.SPECULATION.name(), sum(counters -> counters.speculated.get()));
        probes.reached(RarePath.SPECULATION_UNDONE.name(), sum(counters -> counters.speculationsUndone.get()));
        probes.reached(RarePath.MISMATCH_RERUN.name(), sum(counters -> counters.mismatchReruns.get()));
        probes.reached(RarePath.RETRY_RECOGNISED.name(), sum(counters -> counters.duplicates.get()));
        probes.reached(RarePath.REPLY_HELD.name(), sum(counters -> counters.repliesHeld.get()));
        probes.reached(RarePath.VOTE_RECALLED.name(), sum(counters -> counters.votesRecalled.get()));
        probes.reached(RarePath.SNAPSHOT_WAITED.name(), sum(counters -> counters.snapshotsWaited.get()));
        probes.reached(RarePath.SNAPSHOT_OVERTAKEN.name(), sum(counters -> counters.snapshotsOvertaken.get()));
        probes.reached(
                RarePath.RESTART.name(),
                database.database().figures().procedures().stream()
                        .mapToLong(DatabaseFigures.Procedure::restarts)
                        .sum());
    }
}
