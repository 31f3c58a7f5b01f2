package dev.fulmar.postgres.session;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The statements that a client has prepared, by their names. Their number is bounded, and long ones take memory. */
final class PreparedTexts {
    private static final int MOST = 10_000;

    /** Of a text and its translation. */
    private static final int CHARACTER_BYTES = 4;

    private final HeldMemory memory;
    private final Map<String, PreparedText> byName = new TreeMap<>();
    private final Map<String, Long> bytesByName = new TreeMap<>();

    PreparedTexts(HeldMemory memory) {
        this.memory = memory;
    }

    /** Keeps a statement. The unnamed one takes the place of the one before. */
    void put(String name, PreparedText statement) {
        checkFree(name);
        if (byName.size() >= MOST) {
            throw new FulmarException(
                    ErrorCode.TRANSACTION_TOO_LARGE,
                    "a session has at most " + MOST + " prepared statements; DEALLOCATE some");
        }
        remove(name);
        String text = statement.translation().source();
        bytesByName.put(name, memory.hold(CHARACTER_BYTES * (long) text.length()));
        byName.put(name, statement);
    }

    /** Fails if another statement has the name. */
    void checkFree(String name) {
        if (!name.isEmpty() && byName.containsKey(name)) {
            throw new FulmarException(
                    ErrorCode.DUPLICATE_STATEMENT,
                    "prepared statement \"" + name + "\" already exists; DEALLOCATE it first, or choose another name");
        }
    }

    /** Keeps a statement that is planned anew. */
    void renew(String name, PreparedText statement) {
        byName.put(name, statement);
    }

    /** The statement of the name; null if there is none. */
    @Nullable PreparedText find(String name) {
        return byName.get(name);
    }

    PreparedText get(String name) {
        PreparedText found = find(name);
        if (found == null) {
            String what = name.isEmpty() ? "unnamed prepared statement" : "prepared statement \"" + name + "\"";
            throw new FulmarException(
                    ErrorCode.UNKNOWN_STATEMENT, what + " does not exist; prepare it on this connection first");
        }
        return found;
    }

    /** Forgets a statement, if there is one of the name. */
    void remove(String name) {
        byName.remove(name);
        Long bytes = bytesByName.remove(name);
        if (bytes != null) {
            memory.release(bytes);
        }
    }

    /** Forgets all of them. */
    void clear() {
        List.copyOf(byName.keySet()).forEach(this::remove);
    }
}
