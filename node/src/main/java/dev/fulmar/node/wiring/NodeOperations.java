package dev.fulmar.node.wiring;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.procedure.loading.ProcedureJar;
import dev.fulmar.engine.spi.Statistics;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.admin.NodeControl;
import dev.fulmar.node.backup.BackupDirectory;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.reconfig.move.Reconfiguration;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Carries out, on a node's database and process, what system procedures ask for. Thread-safe. */
final class NodeOperations implements NodeControl {
    private final Database database;
    private final NodeConfiguration configuration;
    private final Reconfiguration reconfiguration;
    private final @Nullable ClusterPart part;
    private final Runnable stop;
    private final Runnable stopToRestart;

    /**
     * @param part null for a node without a cluster
     * @param stop begins to stop the node, and returns at once
     * @param stopToRestart the same, with the exit status for which a supervisor starts it again
     */
    NodeOperations(
            Database database,
            NodeConfiguration configuration,
            Reconfiguration reconfiguration,
            @Nullable ClusterPart part,
            Runnable stop,
            Runnable stopToRestart) {
        this.database = database;
        this.configuration = configuration;
        this.reconfiguration = reconfiguration;
        this.part = part;
        this.stop = stop;
        this.stopToRestart = stopToRestart;
    }

    @Override
    public Catalog catalog() {
        return database.catalog();
    }

    @Override
    public PartitionPlan plan() {
        return database.plans().newest();
    }

    @Override
    public Reconfiguration reconfiguration() {
        return reconfiguration;
    }

    @Override
    public Statistics statistics() {
        return database.census().taken().join();
    }

    @Override
    public List<String> valueReasons(String procedure) {
        return database.valueReasons(procedure);
    }

    @Override
    public List<ProcedureJar> jars() {
        return database.jars();
    }

    @Override
    public CompletableFuture<TransactionResponse> loadClasses(byte[] jar) {
        return database.loadClasses(jar);
    }

    @Override
    public void backUp(String directory) {
        Durability durability = database.durability();
        if (durability == null) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "a database without durability has no backups; start the node with a data directory");
        }
        BackupDirectory.begin(
                durability, path(directory), Path.of(configuration.storage().data()), configuration.layout());
    }

    private static Path path(String directory) {
        try {
            return Path.of(directory);
        } catch (InvalidPathException e) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION, "'" + directory + "' is no path; name a directory", e);
        }
    }

    @Override
    public int restart() {
        if (part == null) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "the node is a database of its own, and nobody would serve it meanwhile; stop it and start it"
                            + " again");
        }
        part.checkDispensable();
        stopToRestart.run();
        return configuration.node();
    }

    @Override
    public void stop() {
        stop.run();
    }
}
