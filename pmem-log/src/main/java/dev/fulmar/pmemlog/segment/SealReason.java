package dev.fulmar.pmemlog.segment;

import org.jspecify.annotations.Nullable;

/** Reasons of seals. Numbers are on disk and are never reused. */
public enum SealReason {
    /** The log was opened: everything recovered is attested. */
    OPENED(1),
    /** A segment begins: what came before it is known even when it is gone. */
    SEGMENT(2),
    /** Nothing came for a while: the last records are attested. */
    IDLE(3),
    /** The log was closed: the last records are attested, and none follow. */
    CLOSED(4);

    private final int number;

    SealReason(int number) {
        this.number = number;
    }

    /** Number on disk. */
    public int number() {
        return number;
    }

    /** The reason with the number; null if this version does not know it. */
    public static @Nullable SealReason ofNumber(int number) {
        for (SealReason reason : values()) {
            if (reason.number == number) {
                return reason;
            }
        }
        return null;
    }
}
