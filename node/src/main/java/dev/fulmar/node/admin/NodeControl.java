package dev.fulmar.node.admin;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.procedure.loading.ProcedureJar;
import dev.fulmar.engine.spi.Statistics;
import dev.fulmar.reconfig.move.Reconfiguration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The node's operations for system procedures. Thread-safe. */
public interface NodeControl {
    Catalog catalog();

    /** The newest partition plan that counts here. */
    PartitionPlan plan();

    /** Moves keys to another partition plan; fails with NOT_SUPPORTED on a node of a cluster. */
    Reconfiguration reconfiguration();

    /** Statistics of the tables' contents; waits a moment for them. */
    Statistics statistics();

    /**
     * Reasons for which calls of the procedure are logged by value; empty if they are logged as commands, or change
     * nothing.
     */
    List<String> valueReasons(String procedure);

    /** The jars that procedures come from, in the order in which they were loaded. */
    List<ProcedureJar> jars();

    /** Loads the procedures of a jar. */
    CompletableFuture<TransactionResponse> loadClasses(byte[] jar);

    /** Begins a backup to the directory of this machine, which is absent or empty, and returns at once. */
    void backUp(String directory);

    /** Begins to stop the node, gracefully, and returns at once. */
    void stop();

    /**
     * Begins to stop the node so that its supervisor starts it again, and returns its number at once. Fails if the
     * cluster could not do without it meanwhile.
     */
    int restart();
}
