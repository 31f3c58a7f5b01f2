package dev.fulmar.coordinator;

import dev.fulmar.coordinator.durability.backup.Restoration;
import dev.fulmar.coordinator.durability.environment.DurabilityEnvironment;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.fiber.SteppedFibers;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationReplay;
import dev.fulmar.coordinator.remote.ClusterPorts;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.coordinator.transaction.PartitionTransport;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partition.CommandLog;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy;
import dev.fulmar.pmemlog.checkpoint.CheckpointSettings;
import dev.fulmar.pmemlog.log.LogSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A database whose sites and fibers advance when a test says so. */
final class SteppedDatabase {
    static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);

    /** So little log that checkpoints are under way most of the time. */
    private static final long CHECKPOINT_LOG_BYTES = 2_000;

    private static final long MEMORY_BYTES = 1L << 30;

    private static final CheckpointSettings CHECKPOINTS =
            new CheckpointSettings("log-checkpoints", 512, 1024, 8 << 10, 16 << 10, 4 << 10);

    final ManualScheduler time = new ManualScheduler();
    final SteppedFibers fibers = new SteppedFibers();
    final Database database;
    final List<String> progress = new ArrayList<>();
    final List<FulmarException> failures = new ArrayList<>();
    private final List<Agent> agents = new ArrayList<>();

    SteppedDatabase(int partitions) {
        this(DatabaseConfiguration.of(partitions, partitions));
    }

    SteppedDatabase(DatabaseConfiguration configuration) {
        this(configuration, new TinySql(), null, DurabilityMode.NONE);
    }

    /** With another way to the partitions. */
    SteppedDatabase(int partitions, UnaryOperator<PartitionTransport> way) {
        this(
                DatabaseConfiguration.of(partitions, partitions),
                new TinySql(),
                null,
                DurabilityMode.NONE,
                CHECKPOINT_LOG_BYTES,
                MEMORY_BYTES,
                new NodeId(0),
                11,
                null,
                way,
                ReconfigurationReplay.none());
    }

    /** With a log on the storage, if there is one. */
    SteppedDatabase(
            DatabaseConfiguration configuration, SqlFrontend sql, @Nullable Storage storage, DurabilityMode mode) {
        this(configuration, sql, storage, mode, CHECKPOINT_LOG_BYTES);
    }

    /** With a checkpoint whenever the log has so many bytes more. */
    SteppedDatabase(
            DatabaseConfiguration configuration,
            SqlFrontend sql,
            @Nullable Storage storage,
            DurabilityMode mode,
            long checkpointLogBytes) {
        this(configuration, sql, storage, mode, checkpointLogBytes, MEMORY_BYTES);
    }

    /** With so much memory. */
    SteppedDatabase(
            DatabaseConfiguration configuration,
            SqlFrontend sql,
            @Nullable Storage storage,
            DurabilityMode mode,
            long checkpointLogBytes,
            long memoryBytes) {
        this(configuration, sql, storage, mode, checkpointLogBytes, memoryBytes, new NodeId(0), 11, null);
    }

    /** One of several nodes, if there is a cluster. */
    SteppedDatabase(
            DatabaseConfiguration configuration,
            SqlFrontend sql,
            @Nullable Storage storage,
            DurabilityMode mode,
            long checkpointLogBytes,
            long memoryBytes,
            NodeId node,
            long seed,
            @Nullable ClusterPorts cluster) {
        this(
                configuration,
                sql,
                storage,
                mode,
                checkpointLogBytes,
                memoryBytes,
                node,
                seed,
                cluster,
                UnaryOperator.identity(),
                ReconfigurationReplay.none());
    }

    /** With a subsystem that reconfigures, and no checkpoint unless it is asked for. */
    SteppedDatabase(
            DatabaseConfiguration configuration,
            SqlFrontend sql,
            @Nullable Storage storage,
            DurabilityMode mode,
            ReconfigurationReplay steps) {
        this(
                configuration,
                sql,
                storage,
                mode,
                1 << 20,
                MEMORY_BYTES,
                new NodeId(0),
                11,
                null,
                UnaryOperator.identity(),
                steps);
    }

    /** The node that leads all partitions of a cluster, where nobody hears what it sends. */
    static SteppedDatabase leader(int partitions, NodeId self) {
        return new SteppedDatabase(
                DatabaseConfiguration.of(partitions, partitions),
                new TinySql(),
                null,
                DurabilityMode.NONE,
                1 << 20,
                MEMORY_BYTES,
                self,
                11,
                new ClusterPorts(new FixedPrimaries(self, self, true), (to, message) -> false));
    }

    private SteppedDatabase(
            DatabaseConfiguration configuration,
            SqlFrontend sql,
            @Nullable Storage storage,
            DurabilityMode mode,
            long checkpointLogBytes,
            long memoryBytes,
            NodeId node,
            long seed,
            @Nullable ClusterPorts cluster,
            UnaryOperator<PartitionTransport> way,
            ReconfigurationReplay steps) {
        NodeServices services =
                new NodeServices(node, time, time, new SeededRandom(seed), fibers, () -> -1).replaying(steps);
        database = new Database(
                configuration,
                new DatabaseEnvironment(
                        services,
                        this::runner,
                        sql,
                        new ChunkSource(new MemoryBudget(memoryBytes, "memory")),
                        SteppedDatabase::testClass,
                        storage == null ? null : durability(storage, mode, checkpointLogBytes),
                        CommandLog.none(),
                        way,
                        null,
                        cluster));
        database.start();
    }

    /**
     * A new database from a backup.
     *
     * @param byRange whether the plan has ranges of keys, as that before had not
     */
    static Restoration.Report restore(
            DatabaseConfiguration before,
            SqlFrontend sql,
            Storage backup,
            Storage target,
            PartitionPlan plan,
            boolean byRange,
            long upTo) {
        return restore(before, sql, backup, target, plan, byRange, upTo, ReconfigurationReplay.none());
    }

    /** The same on a node that has a subsystem that reconfigures. */
    static Restoration.Report restore(
            DatabaseConfiguration before,
            SqlFrontend sql,
            Storage backup,
            Storage target,
            PartitionPlan plan,
            boolean byRange,
            long upTo,
            ReconfigurationReplay steps) {
        ManualScheduler time = new ManualScheduler();
        SeededRandom random = new SeededRandom(12);
        NodeServices services =
                new NodeServices(new NodeId(0), time, time, random, new SteppedFibers(), () -> -1).replaying(steps);
        Function<Agent, AgentRunner> noAgents = agent -> {
            throw new IllegalStateException("nothing runs while a backup is restored");
        };
        Database database = new Database(
                before,
                new DatabaseEnvironment(
                        services,
                        noAgents,
                        sql,
                        new ChunkSource(new MemoryBudget(MEMORY_BYTES, "memory")),
                        SteppedDatabase::testClass));
        return database.restore(
                new Restoration(
                        durability(
                                backup,
                                DurabilityMode.SYNC,
                                CHECKPOINT_LOG_BYTES,
                                noAgents,
                                new ArrayList<>(),
                                new ArrayList<>()),
                        new Restoration.Target(
                                target,
                                CHECKPOINTS,
                                plan,
                                before.bucketsPartition(),
                                !byRange
                                        && plan.partitionCount()
                                                == before.plan().partitionCount()),
                        upTo,
                        time,
                        random),
                2);
    }

    private DurabilityEnvironment durability(Storage storage, DurabilityMode mode, long checkpointLogBytes) {
        return durability(storage, mode, checkpointLogBytes, this::runner, progress, failures);
    }

    static DurabilityEnvironment durability(
            Storage storage,
            DurabilityMode mode,
            long checkpointLogBytes,
            Function<Agent, AgentRunner> runners,
            List<String> progress,
            List<FulmarException> failures) {
        LogSettings settings =
                new LogSettings("log", 64 << 10, 4096, 8 << 10, 16 << 10, 4 << 10, 1 << 14, 1, 50_000_000);
        return new DurabilityEnvironment(
                mode,
                storage,
                settings,
                CHECKPOINTS,
                new CheckpointPolicy(
                        checkpointLogBytes, 1 << 20, 1L << 40, 8 * checkpointLogBytes / CHECKPOINT_LOG_BYTES),
                runners,
                DurabilityEnvironment::oneByOne,
                progress::add,
                failure -> failures.add(failure));
    }

    /** Class files of the test's procedures. */
    static byte @Nullable [] testClass(String internalName) {
        if (!internalName.startsWith("dev/fulmar/coordinator/bank/")) {
            return null;
        }
        try (InputStream stream = SteppedDatabase.class.getResourceAsStream("/" + internalName + ".class")) {
            return stream == null ? null : stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private AgentRunner runner(Agent agent) {
        agents.add(agent);
        return new AgentRunner() {
            @Override
            public void start() {
                agent.onStart();
            }

            @Override
            public void wakeUp() {}

            @Override
            public void close() {
                agents.remove(agent);
                agent.onClose();
            }
        };
    }

    /** The accounts' table and the procedures on it. */
    static void createBank(Database database, Runnable settle) {
        List<CatalogChange> changes = List.of(
                table("ACCOUNT"),
                new CatalogChange.PartitionTable("ACCOUNT", "ID"),
                procedure("Transfer", true),
                procedure("OpenAccounts", false));
        for (CatalogChange change : changes) {
            CompletableFuture<TransactionResponse> done = database.applyChange(change);
            settle.run();
            if (!(done.join() instanceof Committed)) {
                throw new IllegalStateException(change + ": " + done.join());
            }
        }
    }

    static SteppedDatabase withBank(int partitions) {
        return withBank(DatabaseConfiguration.of(partitions, partitions));
    }

    static SteppedDatabase withBank(DatabaseConfiguration configuration) {
        SteppedDatabase stepped = new SteppedDatabase(configuration);
        createBank(stepped.database, stepped::settle);
        return stepped;
    }

    /** A replicated table with a key and a balance. */
    static CatalogChange table(String name) {
        return new CatalogChange.CreateTable(
                name,
                List.of(new Column("ID", BIGINT, false, null), new Column("BALANCE", BIGINT, true, null)),
                List.of("ID"),
                Optional.of(IndexKind.HASH),
                List.of(),
                CatalogChange.Presence.STRICT);
    }

    static CatalogChange procedure(String name, boolean partitioned) {
        return new CatalogChange.CreateProcedure(
                new ProcedureDefinition(
                        name,
                        partitioned
                                ? Optional.of(new ProcedureDefinition.Partitioning("ACCOUNT", "ID", 0))
                                : Optional.empty(),
                        new ProcedureDefinition.JavaClass("dev.fulmar.coordinator.bank." + name, "")),
                true);
    }

    /** Advances everything until nothing can go on. Time stands still. */
    void settle() {
        boolean moved = true;
        while (moved) {
            moved = false;
            while (fibers.runnableCount() > 0) {
                fibers.step(0);
                moved = true;
            }
            for (Agent agent : List.copyOf(agents)) {
                moved |= agent.doWork() > 0;
            }
        }
    }

    /** Advances everything, and time where nothing else goes on, until there is the answer. */
    <T> T await(CompletableFuture<T> answer) {
        settle();
        for (int i = 0; i < 1000 && !answer.isDone(); i++) {
            time.advance(1_000_000);
            settle();
        }
        if (!answer.isDone()) {
            throw new IllegalStateException("there is no answer after a second");
        }
        return answer.join();
    }

    /** Advances fibers only: partitions stand still. */
    void settleFibers() {
        while (fibers.runnableCount() > 0) {
            fibers.step(0);
        }
    }

    /** Lets one site do a turn. */
    int turn(int site) {
        return agents.get(site).doWork();
    }

    /** Advances one fiber or site at random; false if nothing can go on. */
    boolean stepRandomly(RandomSource random) {
        int fiberCount = fibers.runnableCount();
        int choice = random.nextInt(fiberCount + agents.size());
        if (choice < fiberCount) {
            fibers.step(choice);
            return true;
        }
        for (int i = 0; i < agents.size(); i++) {
            if (agents.get((choice - fiberCount + i) % agents.size()).doWork() > 0) {
                return true;
            }
        }
        if (fiberCount > 0) {
            fibers.step(0);
        }
        return fiberCount > 0;
    }

    /** Agents whose role begins so do nothing until the returned task runs. */
    Runnable pause(String role) {
        List<Agent> paused = agents.stream()
                .filter(agent -> agent.roleName().startsWith(role))
                .toList();
        agents.removeAll(paused);
        return () -> agents.addAll(paused);
    }

    TransactionResponse run(TransactionRequest request) {
        CompletableFuture<TransactionResponse> future = database.submit(request);
        settle();
        return future.getNow(new Failed(ErrorCode.INTERNAL, "no answer"));
    }

    TransactionResponse call(String procedure, Object... parameters) {
        return run(request(procedure, parameters));
    }

    TransactionResponse sql(String text, Object... parameters) {
        return run(new TransactionRequest.AdHoc(0, 0, 0, text, list(parameters)));
    }

    TransactionResponse change(CatalogChange change) {
        CompletableFuture<TransactionResponse> future = database.applyChange(change);
        settle();
        return future.getNow(new Failed(ErrorCode.INTERNAL, "no answer"));
    }

    static TransactionRequest request(String procedure, Object... parameters) {
        return new TransactionRequest.Call(0, 0, 0, procedure, list(parameters));
    }

    static TransactionRequest numbered(long client, long id, String procedure, Object... parameters) {
        return new TransactionRequest.Call(client, id, 0, procedure, list(parameters));
    }

    static byte[] list(Object... parameters) {
        ParameterWriter writer = new ParameterWriter(64, 1 << 20);
        writer.begin();
        for (Object parameter : parameters) {
            if (parameter instanceof long[] array) {
                writer.addArray(array);
            } else {
                writer.addObject(parameter);
            }
        }
        writer.end();
        return writer.toByteArray();
    }

    /** The first cell of the first row; -1 if there is no row. */
    static long cell(TransactionResponse response) {
        Committed committed = (Committed) response;
        ResultBlock block = new ResultBlock().wrap(committed.results(), 0, committed.results().length);
        return block.next() ? block.getLong(0) : -1;
    }

    static long value(TransactionResponse response) {
        return response instanceof Committed committed ? committed.value() : Long.MIN_VALUE;
    }

    static ErrorCode code(TransactionResponse response) {
        return response instanceof Failed failed ? failed.code() : ErrorCode.INTERNAL;
    }

    long balance(long account) {
        return cell(sql("SELECT balance FROM account WHERE id = ?", account));
    }

    long total() {
        return cell(sql("SELECT SUM(balance) FROM account"));
    }

    void open(long balance, long... accounts) {
        TransactionResponse response = call("OpenAccounts", accounts, balance);
        if (value(response) != accounts.length) {
            throw new IllegalStateException(response.toString());
        }
    }

    static ResponseSink sink(List<TransactionResponse> responses) {
        return (request, response) -> responses.add(response);
    }
}
