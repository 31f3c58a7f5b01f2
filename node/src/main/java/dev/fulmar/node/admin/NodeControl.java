package dev.fulmar.node.admin;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.engine.catalog.Catalog;
import java.util.concurrent.CompletableFuture;

/** What system procedures ask of the node. Thread-safe. */
public interface NodeControl {
    Catalog catalog();

    /** Loads the procedures of a jar. */
    CompletableFuture<TransactionResponse> loadClasses(byte[] jar);

    /** Begins a backup to the directory of this machine, which is absent or empty, and returns at once. */
    void backUp(String directory);

    /** Begins to stop the node, gracefully, and returns at once. */
    void stop();
}
