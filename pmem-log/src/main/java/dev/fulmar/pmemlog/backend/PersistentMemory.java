package dev.fulmar.pmemlog.backend;

import java.nio.ByteBuffer;

/**
 * Memory that keeps its content. What was written is durable once its lines were flushed and a fence followed; of the
 * rest a crash keeps what it likes, in pieces of 8 bytes. Thread-safe for ranges that share no line.
 */
public interface PersistentMemory {
    /** Bytes that are flushed together. */
    int LINE_BYTES = 64;

    long size();

    /** Fills the buffer with what is at the offset. */
    void read(long offset, ByteBuffer target);

    /** Stores what the buffer has at the offset. */
    void write(long offset, ByteBuffer source);

    /** Sends the lines of the range to the device. */
    void flush(long offset, long bytes);

    /** Waits until everything that this thread flushed is durable. */
    void fence();

    /** Lines that were flushed so far. */
    long flushedLines();

    /** Fences so far. */
    long fences();
}
