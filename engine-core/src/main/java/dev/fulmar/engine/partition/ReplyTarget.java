package dev.fulmar.engine.partition;

/** A receiver of replies. */
public interface ReplyTarget {
    /** No more replies follow at once: send what was collected. */
    default void flush() {}
}
