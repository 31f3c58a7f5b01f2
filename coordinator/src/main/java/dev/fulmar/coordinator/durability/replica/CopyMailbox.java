package dev.fulmar.coordinator.durability.replica;

import dev.fulmar.coordinator.replication.ReplicationFormat;
import dev.fulmar.foundation.id.NodeId;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * Mailbox of a copy for messages and tasks from other threads. They do not wait in the partition's inbox, which stands
 * still while too much is not safe: only the mailbox brings the confirmations that make it safe.
 */
final class CopyMailbox {
    /** Messages that may wait; a replica that hears nothing is sent everything again. */
    private static final int LENGTH = 4_096;

    private static final int LETTERS_PER_TURN = 64;

    private sealed interface Letter {
        record Task(Runnable task) implements Letter {}

        record Message(NodeId from, ByteBuffer content) implements Letter {}
    }

    private final ConcurrentLinkedQueue<Letter> letters = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    /** For any thread. */
    void put(Runnable task) {
        put(new Letter.Task(task));
    }

    /** Takes a copy of the message, unless too many wait; for any thread. */
    void put(NodeId from, ByteBuffer message) {
        if (waiting.get() < LENGTH) {
            byte[] bytes = new byte[message.remaining()];
            message.get(bytes);
            put(new Letter.Message(from, ByteBuffer.wrap(bytes)));
        }
    }

    private void put(Letter letter) {
        waiting.incrementAndGet();
        letters.add(letter);
    }

    /**
     * Opens the letters of one turn; for the partition's thread.
     *
     * @param isCrowded whether messages with records have to wait
     * @return how many there were
     */
    int open(BooleanSupplier isCrowded, BiConsumer<NodeId, ByteBuffer> receiver) {
        int done = 0;
        Letter letter = letters.peek();
        while (letter != null && done < LETTERS_PER_TURN && !mustWait(letter, isCrowded)) {
            letters.poll();
            waiting.decrementAndGet();
            done++;
            switch (letter) {
                case Letter.Task(Runnable task) -> task.run();
                case Letter.Message(NodeId from, ByteBuffer content) -> receiver.accept(from, content);
            }
            letter = letters.peek();
        }
        return done;
    }

    /** Records wait until the log has room for them. */
    private static boolean mustWait(Letter letter, BooleanSupplier isCrowded) {
        return letter instanceof Letter.Message message
                && ReplicationFormat.isGroup(message.content())
                && isCrowded.getAsBoolean();
    }
}
