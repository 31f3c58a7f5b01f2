package dev.fulmar.simulator.world;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.DatabaseConfiguration;
import dev.fulmar.coordinator.DatabaseEnvironment;
import dev.fulmar.coordinator.durability.environment.DurabilityEnvironment;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.coordinator.transaction.PartitionTransport;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partition.CommandLog;
import dev.fulmar.engine.procedure.loading.SharedCode;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.reconfig.move.Reconfiguration;
import dev.fulmar.reconfig.move.ReconfigurationEnvironment;
import dev.fulmar.reconfig.step.MoveStepReplay;
import dev.fulmar.simulator.fiber.ContinuationFibers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A database of one node whose sites, fibers and timers are events. Ready for clients once {@link #prepare} returned.
 */
public final class SimulatedDatabase {
    private static final long MEMORY_LIMIT_BYTES = 1L << 30;
    private static final long MAX_WAIT_NANOS = 60_000_000_000L;
    private static final int FIRST_PARAMETER_BYTES = 256;
    private static final int MOST_PARAMETER_BYTES = 1 << 16;

    private final SimulatedWorld world;
    private final SimulatedProcess process;
    private final MemoryBudget memory = new MemoryBudget(MEMORY_LIMIT_BYTES, "memory.limit");
    private final Database database;

    /**
     * @param timestamps where the log of commits would be
     * @param mostDelayNanos of a message from a coordinator to a partition, as when the system lets a thread wait
     *     between two messages
     */
    public SimulatedDatabase(
            SimulatedWorld world,
            SimulatedProcess process,
            DatabaseConfiguration configuration,
            SqlFrontend sql,
            TimestampWatch timestamps,
            int mostDelayNanos) {
        this(
                world,
                process,
                configuration,
                sql,
                timestamps,
                null,
                SharedCode.none(),
                way -> mostDelayNanos == 0 ? way : new DelayedTransport(process, way, mostDelayNanos));
    }

    /**
     * @param watcher told of commits
     * @param durability null for a database that forgets everything
     */
    public SimulatedDatabase(
            SimulatedWorld world,
            SimulatedProcess process,
            DatabaseConfiguration configuration,
            SqlFrontend sql,
            CommandLog watcher,
            @Nullable DurabilityEnvironment durability) {
        this(world, process, configuration, sql, watcher, durability, SharedCode.none());
    }

    /**
     * The same where databases share procedures' code.
     *
     * @param code of procedures
     */
    public SimulatedDatabase(
            SimulatedWorld world,
            SimulatedProcess process,
            DatabaseConfiguration configuration,
            SqlFrontend sql,
            CommandLog watcher,
            @Nullable DurabilityEnvironment durability,
            SharedCode code) {
        this(world, process, configuration, sql, watcher, durability, code, UnaryOperator.identity());
    }

    private SimulatedDatabase(
            SimulatedWorld world,
            SimulatedProcess process,
            DatabaseConfiguration configuration,
            SqlFrontend sql,
            CommandLog watcher,
            @Nullable DurabilityEnvironment durability,
            SharedCode code,
            UnaryOperator<PartitionTransport> way) {
        this.world = world;
        this.process = process;
        this.database = new Database(
                configuration,
                new DatabaseEnvironment(
                        new NodeServices(
                                        process.node(),
                                        process.clock(),
                                        process.scheduler(),
                                        process.random().split("database"),
                                        new ContinuationFibers(process),
                                        () -> -1) // what a thread allocates does not repeat under a seed
                                .replaying(new MoveStepReplay()),
                        process::runner,
                        sql,
                        new ChunkSource(memory),
                        internalName -> null,
                        durability,
                        watcher,
                        way,
                        null,
                        null,
                        code));
    }

    /** Starts it on what an earlier life left. */
    public void start() {
        database.start();
    }

    /** Starts it, brings the procedures in, and makes the tables. */
    public void prepare(byte[] jar, List<String> ddl) {
        database.start();
        committed("the procedure jar", await(database.loadClasses(jar)));
        ddl.forEach(this::execute);
    }

    /** Runs a statement to its end, while the rest of the world goes on. */
    public TransactionResponse.Committed execute(String sql, @Nullable Object... arguments) {
        byte[] parameters = parameters(arguments);
        return committed(sql, await(database.submit(new TransactionRequest.AdHoc(0, 0, 0, sql, parameters))));
    }

    /** Runs a procedure to its end, while the rest of the world goes on. */
    public TransactionResponse.Committed call(String procedure, @Nullable Object... arguments) {
        byte[] parameters = parameters(arguments);
        return committed(
                procedure, await(database.submit(new TransactionRequest.Call(0, 0, 0, procedure, parameters))));
    }

    /** Runs a client's request to its end, while the rest of the world goes on. */
    public TransactionResponse ask(TransactionRequest request) {
        return await(database.submit(request));
    }

    /** Contradictions between indexes and their tables. */
    public List<String> tableDefects() {
        return await(database.figures().tableDefects());
    }

    /** The arguments as a parameter list. */
    public static byte[] parameters(@Nullable Object... arguments) {
        ParameterWriter writer = new ParameterWriter(FIRST_PARAMETER_BYTES, MOST_PARAMETER_BYTES).begin();
        for (Object argument : arguments) {
            writer.addObject(argument);
        }
        return writer.toByteArray();
    }

    private static TransactionResponse.Committed committed(String what, TransactionResponse response) {
        return switch (response) {
            case TransactionResponse.Committed committed -> committed;
            case TransactionResponse.Failed(var code, var message, var _) ->
                throw new IllegalStateException(what + " failed: " + code + " " + message);
        };
    }

    private <T> T await(CompletableFuture<T> future) {
        if (!world.runUntil(future::isDone, MAX_WAIT_NANOS)) {
            throw new IllegalStateException("the database does not answer");
        }
        return future.join();
    }

    public Database database() {
        return database;
    }

    /** The service that moves keys between the partitions of this database, which is a node's whole cluster. */
    public Reconfiguration reconfiguration(RandomSource random) {
        return new Reconfiguration(new ReconfigurationEnvironment(
                database.reconfiguration(),
                database::guardData,
                database.plans(),
                database::leads,
                () -> database.figures().latency(),
                null,
                process.scheduler(),
                process.clock(),
                random,
                progress -> {}));
    }

    public SimulatedProcess process() {
        return process;
    }

    /** Gives its memory back after its process has ended. */
    public void abandon() {
        database.abandon();
    }

    /** Stops it; fails if it does not give all its memory back. */
    public void stop() {
        await(database.stop(MAX_WAIT_NANOS));
        if (memory.usedBytes() != 0) {
            throw new IllegalStateException("the stopped database keeps " + memory.usedBytes() + " bytes of memory");
        }
    }
}
