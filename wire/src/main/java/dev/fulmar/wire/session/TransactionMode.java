package dev.fulmar.wire.session;

import java.util.List;
import java.util.Optional;

/**
 * Modes that BEGIN or SET TRANSACTION gives to a transaction.
 *
 * @param isolation empty if it does not say
 * @param readOnly whether it changes nothing; empty if it does not say
 * @param deferrable whether it may wait before it reads, which none needs to; empty if it does not say
 */
public record TransactionMode(Optional<Isolation> isolation, Optional<Boolean> readOnly, Optional<Boolean> deferrable) {
    /** Says nothing. */
    public static final TransactionMode USUAL =
            new TransactionMode(Optional.empty(), Optional.empty(), Optional.empty());

    /** Changes nothing, and reads one snapshot. */
    public static final TransactionMode READ_ONLY = USUAL.readOnly(true);

    /** The modes that the words list, with or without commas; empty if they are something else. */
    static Optional<TransactionMode> of(List<String> words) {
        TransactionMode mode = USUAL;
        int next = 0;
        while (next < words.size()) {
            Optional<Reading> read = one(mode, words.subList(next, words.size()));
            if (read.isEmpty()) {
                return Optional.empty();
            }
            mode = read.get().mode();
            next += read.get().words();
            if (next < words.size() - 1 && words.get(next).equals(",")) {
                next++;
            }
        }
        return Optional.of(mode);
    }

    private record Reading(TransactionMode mode, int words) {}

    private static Optional<Reading> one(TransactionMode mode, List<String> words) {
        if (starts(words, "READ", "ONLY")) {
            return Optional.of(new Reading(mode.readOnly(true), 2));
        }
        if (starts(words, "READ", "WRITE")) {
            return Optional.of(new Reading(mode.readOnly(false), 2));
        }
        if (starts(words, "NOT", "DEFERRABLE")) {
            return Optional.of(new Reading(mode.deferrable(false), 2));
        }
        if (starts(words, "DEFERRABLE")) {
            return Optional.of(new Reading(mode.deferrable(true), 1));
        }
        return starts(words, "ISOLATION", "LEVEL")
                ? level(words.subList(2, words.size()))
                        .map(level -> new Reading(mode.isolation(level.isolation()), 2 + level.words()))
                : Optional.empty();
    }

    private record Level(Isolation isolation, int words) {}

    /** A level that there is not becomes the next stricter one. */
    private static Optional<Level> level(List<String> words) {
        if (starts(words, "SERIALIZABLE")) {
            return Optional.of(new Level(Isolation.SERIALIZABLE, 1));
        }
        if (starts(words, "SNAPSHOT")) {
            return Optional.of(new Level(Isolation.SNAPSHOT, 1));
        }
        if (starts(words, "REPEATABLE", "READ")) {
            return Optional.of(new Level(Isolation.SNAPSHOT, 2));
        }
        return starts(words, "READ", "COMMITTED") || starts(words, "READ", "UNCOMMITTED")
                ? Optional.of(new Level(Isolation.READ_COMMITTED, 2))
                : Optional.empty();
    }

    private static boolean starts(List<String> words, String... expected) {
        return words.size() >= expected.length
                && words.subList(0, expected.length).equals(List.of(expected));
    }

    /** The same with another isolation. */
    public TransactionMode isolation(Isolation other) {
        return new TransactionMode(Optional.of(other), readOnly, deferrable);
    }

    /** The same, but for whether it changes nothing. */
    public TransactionMode readOnly(boolean isIt) {
        return new TransactionMode(isolation, Optional.of(isIt), deferrable);
    }

    private TransactionMode deferrable(boolean isIt) {
        return new TransactionMode(isolation, readOnly, Optional.of(isIt));
    }

    /** The same, but for what the other one says. */
    public TransactionMode with(TransactionMode other) {
        return new TransactionMode(
                other.isolation.or(() -> isolation),
                other.readOnly.or(() -> readOnly),
                other.deferrable.or(() -> deferrable));
    }

    /** The BEGIN that says the same. */
    public String begin() {
        String level = isolation
                .map(known -> " ISOLATION LEVEL " + known.name().replace('_', ' '))
                .orElse("");
        String access =
                readOnly.map(only -> only ? " READ ONLY" : " READ WRITE").orElse("");
        String wait =
                deferrable.map(may -> may ? " DEFERRABLE" : " NOT DEFERRABLE").orElse("");
        return "BEGIN" + level + access + wait;
    }
}
