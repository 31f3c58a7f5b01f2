package dev.fulmar.simulator.crash;

import dev.fulmar.coordinator.DatabaseConfiguration;
import dev.fulmar.coordinator.durability.Checkpoints;
import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.durability.DurabilityEnvironment;
import dev.fulmar.coordinator.durability.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.CrashingStorage;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy;
import dev.fulmar.pmemlog.checkpoint.CheckpointSettings;
import dev.fulmar.pmemlog.log.LogSettings;
import dev.fulmar.simulator.campaign.FinalState;
import dev.fulmar.simulator.campaign.Ledger;
import dev.fulmar.simulator.campaign.Replies;
import dev.fulmar.simulator.campaign.SerializabilityScript;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.verify.StrictSerializabilityVerifier;
import dev.fulmar.simulator.verify.Transaction;
import dev.fulmar.simulator.verify.Violation;
import dev.fulmar.simulator.workload.Mix;
import dev.fulmar.simulator.workload.ProcedureEditions;
import dev.fulmar.simulator.workload.Wish;
import dev.fulmar.simulator.workload.WishSource;
import dev.fulmar.simulator.world.SimulatedDatabase;
import dev.fulmar.simulator.world.TimestampWatch;
import dev.fulmar.simulator.world.WorldClock;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A database with three lives. In the first it gets its tables and some load; the second recovers, works on, and is ended at a point of its storage
 * calls; the third recovers and is judged. Everything follows from the seed, so each point of the second life can be its last.
 */
public final class CrashRun {
    private static final NodeId NODE = new NodeId(1);
    private static final int CLIENTS = 4;
    private static final long MAX_EVENTS = 2_000_000;
    private static final int MAX_THINK_NANOS = 200_000;

    /** Small, so that a short life comes around: segments are used again, checkpoint logs are written back. */
    private static final LogSettings LOG =
            new LogSettings("data/log", 64 << 10, 512, 8 << 10, 32 << 10, 64 << 10, 64, 1, 3_000_000);

    private static final CheckpointSettings CHECKPOINTS =
            new CheckpointSettings("data/log-checkpoints", 512, 1024, 4 << 10, 8 << 10, 4 << 10);

    private static final CheckpointPolicy POLICY = new CheckpointPolicy(4 << 10, 1 << 20, 1L << 40, 1);

    private final long seed;
    private final DurabilityMode mode;
    private final Set<CrashingStorage.Bug> bugs;
    private final SqlFrontend sql;
    private final SimulatedWorld world;
    private final DatabaseConfiguration configuration;
    private final Mix mix;
    private final HistoryRecorder recorder;
    private final Ledger ledger = new Ledger();
    private final List<String> progress = new ArrayList<>();
    private final AtomicLong lastValue = new AtomicLong();
    private long lastRequest;
    private int open;

    public CrashRun(long seed, DurabilityMode mode, Set<CrashingStorage.Bug> bugs, SqlFrontend sql) {
        this.seed = seed;
        this.mode = mode;
        this.bugs = Set.copyOf(bugs);
        this.sql = sql;
        this.world = new SimulatedWorld(seed);
        SeededRandom random = world.random("scenario");
        int partitions = 1 + random.nextInt(3);
        this.configuration = DatabaseConfiguration.of(partitions, partitions);
        this.mix = new Mix(2 + random.nextInt(6), 2 + random.nextInt(6), 100, 2, 2, 60, 10, 5, 5, 30, 3);
        this.recorder = new HistoryRecorder(new WorldClock(world));
    }

    /**
     * Does it all; called once.
     *
     * @param wishes what each client asks for in a life
     * @param crashAfter points that the second life has; it ends after the last answer if there are fewer
     * @param powerFailure whether the power goes, or only the process
     */
    public CrashReport run(int wishes, long crashAfter, boolean powerFailure) {
        long points = 0;
        long checkpoints = 0;
        long reclaimed = 0;
        try {
            SimulatedProcess founder = world.startProcess(NODE);
            SimulatedDatabase first = database(new CrashingStorage(founder), founder);
            first.prepare(ProcedureEditions.jar(ProcedureEditions.FIRST), SerializabilityScript.statements());
            for (long id = 1; id <= mix.accounts(); id++) {
                first.execute("INSERT INTO account (id, balance) VALUES (?, ?)", id, mix.balance());
            }
            load(first, wishes);
            founder.crash();

            progress.clear();
            SimulatedProcess process = world.startProcess(NODE);
            CrashingStorage storage = new CrashingStorage(process).with(bugs);
            storage.crashAfter(crashAfter, powerFailure);
            SimulatedDatabase second = database(storage, process);
            try {
                second.start();
                load(second, wishes);
                process.crash();
            } catch (CrashingStorage.Crash end) {
                open = 0;
            }
            points = storage.points();
            Durability durability = second.database().durability();
            Checkpoints taken = durability == null ? null : durability.checkpoints();
            if (taken != null && taken.isTaking()) {
                checkpoints = taken.counters().checkpoints();
                reclaimed = taken.counters().reclaimedSegments();
            }
            judge();
        } catch (RuntimeException | Error defect) { // whatever breaks is what the run is for
            ledger.violation("a defect: " + defect);
        }
        List<Transaction> history = recorder.history();
        return new CrashReport(
                points,
                count(history, Transaction.Outcome.OK),
                count(history, Transaction.Outcome.UNKNOWN),
                checkpoints,
                reclaimed,
                progress.stream().anyMatch(line -> line.contains("from checkpoints")),
                progress.stream().anyMatch(line -> line.contains("in doubt")),
                ledger.violations());
    }

    private static int count(List<Transaction> history, Transaction.Outcome outcome) {
        return (int) history.stream()
                .filter(transaction -> transaction.outcome() == outcome)
                .count();
    }

    private void judge() {
        progress.clear();
        SimulatedProcess process = world.startProcess(NODE);
        SimulatedDatabase third = database(new CrashingStorage(process), process);
        third.start();
        FinalState state =
                new FinalState((text, arguments) -> Replies.decode(third.execute(text, arguments)), mix, ledger);
        state.read(recorder);
        List<Transaction> history = recorder.history();
        for (Violation violation :
                new StrictSerializabilityVerifier().verify(history).violations()) {
            ledger.violation(violation.toString());
        }
        state.check(history);
        third.stop();
    }

    private SimulatedDatabase database(CrashingStorage storage, SimulatedProcess process) {
        return new SimulatedDatabase(
                world,
                process,
                configuration,
                sql,
                new TimestampWatch(false),
                new DurabilityEnvironment(
                        mode,
                        storage,
                        LOG,
                        CHECKPOINTS,
                        POLICY,
                        process::runner,
                        DurabilityEnvironment::oneByOne,
                        progress::add,
                        failure -> ledger.violation("the log failed: " + failure.getMessage())));
    }

    /** Clients ask until each had so many answers. */
    private void load(SimulatedDatabase database, int wishes) {
        for (int number = 1; number <= CLIENTS; number++) {
            open++;
            new Client(number, database, wishes).think();
        }
        for (long limit = world.executedEvents() + MAX_EVENTS; open > 0; ) {
            if (world.executedEvents() >= limit || !world.step()) {
                throw new IllegalStateException("seed " + seed + ": the database stands still");
            }
        }
    }

    /** One request at a time. */
    private final class Client {
        private final int number;
        private final SimulatedDatabase database;
        private final WishSource source;
        private final SeededRandom random;
        private int remaining;

        Client(int number, SimulatedDatabase database, int wishes) {
            this.number = number;
            this.database = database;
            this.remaining = wishes;
            this.source = new WishSource(mix, world.random("wishes-" + number + "-" + lastRequest), lastValue);
            this.random = world.random("client-" + number + "-" + lastRequest);
        }

        void think() {
            if (remaining-- == 0) {
                open--;
                return;
            }
            world.schedule(random.nextInt(MAX_THINK_NANOS), "client " + number, this::ask);
        }

        private void ask() {
            if (!database.process().isAlive()) {
                return;
            }
            Wish wish = source.next();
            HistoryRecorder.Pending record = recorder.invoke(number, wish.writes());
            byte[] parameters = SimulatedDatabase.parameters(wish.arguments());
            long id = ++lastRequest;
            TransactionRequest request = wish.isStatement()
                    ? new TransactionRequest.AdHoc(number, id, 0, wish.text(), parameters)
                    : new TransactionRequest.Call(number, id, 0, wish.text(), parameters);
            ledger.unknown(wish);
            database.database().submit(request, (answeredRequest, response) -> answered(wish, record, response));
        }

        private void answered(Wish wish, HistoryRecorder.Pending record, TransactionResponse response) {
            if (!database.process().isAlive()) {
                return;
            }
            switch (response) {
                case Committed committed -> {
                    try {
                        record.ok(wish.done(Replies.decode(committed)), OptionalLong.empty());
                    } catch (IllegalStateException wrong) {
                        ledger.violation("a wrong answer to " + wish.text() + ": " + wrong.getMessage());
                    }
                }
                case Failed(var code, String message) -> {
                    record.failed();
                    if (!wish.mayRollBack()) {
                        ledger.violation("an unexpected failure of " + wish.text() + ": " + code + " " + message);
                    }
                }
            }
            think();
        }
    }
}
