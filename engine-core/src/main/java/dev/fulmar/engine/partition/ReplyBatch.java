package dev.fulmar.engine.partition;

/** Remembers which targets got replies, to flush each once at the end of a turn. */
public final class ReplyBatch {
    /** More than that many targets in one turn are flushed early. */
    private static final int CAPACITY = 32;

    private final ReplyTarget[] targets = new ReplyTarget[CAPACITY];
    private int size;

    /** The target got a reply. */
    public void replied(ReplyTarget target) {
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

    /** Flushes all targets that got replies since the last time. */
    public void flush() {
        int count = size;
        size = 0;
        for (int i = 0; i < count; i++) {
            targets[i].flush();
        }
    }
}
