package dev.fulmar.node.server;

import dev.fulmar.wire.postgres.message.BackendMessage;
import java.security.SecureRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The keys with which clients of PostgreSQL's protocol cancel statements over other connections. Thread-safe.
 */
final class CancelKeys {
    private record Entry(int secret, Runnable cancel) {}

    private final SecureRandom random = new SecureRandom();
    private final AtomicInteger last = new AtomicInteger();
    private final ConcurrentHashMap<Integer, Entry> byProcess = new ConcurrentHashMap<>();

    /**
     * A new key.
     *
     * @param cancel ends the connection's statement; called on any thread
     */
    BackendMessage.BackendKeyData add(Runnable cancel) {
        int process = last.incrementAndGet();
        int secret = random.nextInt();
        byProcess.put(process, new Entry(secret, cancel));
        return new BackendMessage.BackendKeyData(process, secret);
    }

    void remove(BackendMessage.BackendKeyData key) {
        byProcess.remove(key.processId());
    }

    /** Cancels if the secret is right; nobody hears whether it was. */
    void cancel(int process, int secret) {
        Entry entry = byProcess.get(process);
        if (entry != null && entry.secret() == secret) {
            entry.cancel().run();
        }
    }
}
