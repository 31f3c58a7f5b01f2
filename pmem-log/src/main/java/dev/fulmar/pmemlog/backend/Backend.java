package dev.fulmar.pmemlog.backend;

import dev.fulmar.foundation.storage.Storage;

/** An open place for a log's files. */
public interface Backend extends AutoCloseable {
    /** Name by which it is chosen. */
    String name();

    /** What that which is forced survives here. */
    DurabilityLevel durability();

    /** Where the bytes are and why they are that durable, for people. */
    String explanation();

    /** Whether this only imitates the device that it is made for, so that its times mean nothing. */
    boolean isEmulated();

    /** What the device writes as one: a group that begins at a multiple of it touches nothing that is durable. */
    int blockBytes();

    /** The files. */
    Storage storage();

    @Override
    void close();
}
