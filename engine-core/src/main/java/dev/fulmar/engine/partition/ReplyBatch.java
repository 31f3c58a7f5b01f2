package dev.fulmar.engine.partition;

/**
 * Remembers which targets got replies, to flush each once at the end of a turn. A turn ends when enough replies are
 * there, so that clients read the first ones while the next transactions run.
 */
public final class ReplyBatch {
    /** More than that many targets in one turn are flushed early. */
    private static final int CAPACITY = 32;

    /** As many replies are worth a system call. */
    private static final int ENOUGH = 32;

    private final ReplyTarget[] targets = new ReplyTarget[CAPACITY];
    private int size;
    private int replies;

    /** The target got a reply. */
    public void replied(ReplyTarget target) {
        replies++;
        for (int i = size - 1; i >= 0; i--) {
            if (targets[i].equals(target)) {
                return;
            }
        }
        if (size == CAPACITY) {
            flush();
        }
        targets[size] = target;
        size++;
    }

    /** Whether the replies since the last flush should go out now. */
    boolean isFull() {
        return replies >= ENOUGH;
    }

    /** Flushes all targets that got replies since the last time. */
    public void flush() {
        int count = size;
        size = 0;
        replies = 0;
        for (int i = 0; i < count; i++) {
            targets[i].flush();
        }
    }
}
