package dev.fulmar.pmemlog.backend;

import dev.fulmar.foundation.storage.Storage;

/** An open storage for a log's files, which states the durability that it gives. */
public interface Backend extends AutoCloseable {
    /** Name by which it is chosen. */
    String name();

    /** Durability level of forced bytes on this backend. */
    DurabilityLevel durability();

    /** The place of the bytes and the reason for their durability, for people. */
    String explanation();

    /** Whether this only imitates the device that it is made for, so that its times mean nothing. */
    boolean isEmulated();

    /**
     * Bytes that the device writes as one block: a group that begins at a multiple of it touches nothing that is
     * durable.
     */
    int blockBytes();

    /** The files. */
    Storage storage();

    @Override
    void close();
}
