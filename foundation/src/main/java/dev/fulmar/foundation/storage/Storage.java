package dev.fulmar.foundation.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A directory tree that belongs to one node. Names are relative, with {@code /} between parts. Thread-safe. */
public interface Storage {
    /**
     * Opens the file for reading and writing, creating it and its parent directories if absent. The directories are
     * durable, the file is not.
     */
    StorageFile open(String name) throws IOException;

    /**
     * As {@link #open}, and a write is durable when it returns: one call to the device where write and force are two.
     * It makes durable no more than its own bytes. A file that already has its size is written fastest.
     */
    StorageFile openSynchronous(String name) throws IOException;

    /** Whether the file exists. */
    boolean exists(String name) throws IOException;

    /** Names of the files directly in the directory, in ascending order; empty if the directory is absent. */
    List<String> list(String directory) throws IOException;

    /** Atomically renames the file, replacing the target. */
    void rename(String from, String to) throws IOException;

    /** Deletes the file if it exists. */
    void delete(String name) throws IOException;

    /** Makes creations, renames and deletions in the directory durable. */
    void forceDirectory(String directory) throws IOException;

    /** An open file. Reads and writes at different positions may run in parallel. */
    interface StorageFile extends AutoCloseable {
        long size() throws IOException;

        /** Reads until the buffer is full or the file ends; returns the bytes read, 0 at the end. */
        int read(long position, ByteBuffer target) throws IOException;

        /** Writes all remaining bytes. After a failure a synchronous file must not be trusted again. */
        void write(long position, ByteBuffer source) throws IOException;

        void truncate(long size) throws IOException;

        /**
         * Gives back the space of bytes within the file that are of no more use. The file stays as long as it is. Until
         * they are written again, they read as anything. Where the system cannot do it, nothing happens.
         */
        void discard(long position, long bytes) throws IOException;

        /** Makes everything written so far durable. After a failure the file must not be trusted again. */
        void force() throws IOException;

        @Override
        void close() throws IOException;
    }
}
