package dev.fulmar.node.admin;

import dev.fulmar.engine.catalog.Catalog;

/** What system procedures ask of the node. Thread-safe. */
public interface NodeControl {
    Catalog catalog();

    /** Loads the procedures of a jar; returns how many there are. */
    long loadClasses(byte[] jar);

    /** Begins to stop the node, gracefully, and returns at once. */
    void stop();
}
