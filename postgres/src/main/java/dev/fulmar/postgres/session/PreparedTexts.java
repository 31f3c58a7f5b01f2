package dev.fulmar.postgres.session;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.dialect.SessionFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The statements that a client has prepared, by their names. Their number is bounded, and long ones take memory. */
final class PreparedTexts {
    private static final int MOST = 10_000;

    /** Of a text and its translation. */
    private static final int CHARACTER_BYTES = 4;

    /** Of a part of a statement, which has most of its text with the other parts. */
    private static final int PART_BYTES = 128;

    /** @param written the text of PREPARE; empty for what a message of the protocol has prepared */
    private record Kept(PreparedText statement, String written, long bytes) {}

    private final HeldMemory memory;
    private final Map<String, Kept> byName = new TreeMap<>();

    /** Former statements, with their memory, of names that have had another one since the mark; empty for none. */
    private final Map<String, Optional<Kept>> before = new TreeMap<>();

    private boolean isMarked;

    PreparedTexts(HeldMemory memory) {
        this.memory = memory;
    }

    /** Notes what is prepared now, so that later changes can be taken back. */
    void mark() {
        unmark();
        isMarked = true;
    }

    /** The changes since the mark stay. */
    void unmark() {
        isMarked = false;
        before.values().forEach(old -> old.ifPresent(kept -> memory.release(kept.bytes())));
        before.clear();
    }

    /** Takes the changes since the mark back; later ones can be taken back, too. */
    void takeBack() {
        before.forEach((name, old) -> {
            Kept present = byName.remove(name);
            if (present != null) {
                memory.release(present.bytes());
            }
            old.ifPresent(kept -> byName.put(name, kept));
        });
        before.clear();
    }

    /** Keeps a statement. The unnamed one takes the place of the one before. */
    void put(String name, PreparedText statement) {
        put(name, statement, "");
    }

    /**
     * The same of one that PREPARE has made.
     *
     * @param written the text of PREPARE
     */
    void put(String name, PreparedText statement, String written) {
        checkFree(name);
        if (byName.size() >= MOST) {
            throw new FulmarException(
                    ErrorCode.TRANSACTION_TOO_LARGE,
                    "a session has at most " + MOST + " prepared statements; DEALLOCATE some");
        }
        remove(name);
        long bytes = memory.hold(bytes(statement));
        if (isMarked) {
            before.putIfAbsent(name, Optional.empty());
        }
        byName.put(name, new Kept(statement, written, bytes));
    }

    private static long bytes(PreparedText statement) {
        long parts = statement.before().stream()
                .mapToLong(
                        part -> PART_BYTES + CHARACTER_BYTES * (long) part.own().length())
                .sum();
        return CHARACTER_BYTES * (long) statement.translation().source().length() + parts;
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
        Kept old = byName.get(name);
        byName.put(name, new Kept(statement, old == null ? "" : old.written(), old == null ? 0 : old.bytes()));
        if (isMarked) {
            before.putIfAbsent(
                    name, Optional.ofNullable(old).map(kept -> new Kept(kept.statement(), kept.written(), 0)));
        }
    }

    /** The statement of the name; null if there is none. */
    @Nullable PreparedText find(String name) {
        Kept found = byName.get(name);
        return found == null ? null : found.statement();
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
        Kept old = byName.remove(name);
        if (old == null) {
            return;
        }
        if (isMarked && !before.containsKey(name)) {
            before.put(name, Optional.of(old));
        } else {
            memory.release(old.bytes());
        }
    }

    /** Those that have a name. */
    List<SessionFacts.KnownStatement> all() {
        List<SessionFacts.KnownStatement> all = new ArrayList<>();
        byName.forEach((name, kept) -> {
            if (!name.isEmpty()) {
                boolean isOfSql = !kept.written().isEmpty();
                String text = isOfSql
                        ? kept.written()
                        : kept.statement().translation().source();
                all.add(new SessionFacts.KnownStatement(
                        name, text, kept.statement().parameterTypes(), isOfSql));
            }
        });
        return all;
    }

    /** Forgets all of them. */
    void clear() {
        List.copyOf(byName.keySet()).forEach(this::remove);
    }
}
