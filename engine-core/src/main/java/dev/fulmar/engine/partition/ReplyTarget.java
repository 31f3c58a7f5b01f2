package dev.fulmar.engine.partition;

/** Where replies go. */
public interface ReplyTarget {
    /** No more replies follow at once: send what was collected. */
    default void flush() {}
}
