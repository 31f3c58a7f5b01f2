package dev.fulmar.benchmarks.capacity;

import java.util.List;
import java.util.Optional;

/**
 * Line in which a node notes an event.
 *
 * @param name of the partition, or of the thread
 * @param atNanos beginning of a pause, or the moment of a sum, by {@link System#nanoTime()}, which all processes share
 * @param nanos length of the pause, or the sum
 */
public record NodeNote(Kind kind, String name, long atNanos, long nanos) {
    private static final String MARK = "emulated-capacity";
    private static final int WORDS = 5;

    /** Kinds of notes. */
    public enum Kind {
        /** Time of the processor that a site's work has taken since it began. */
        WORKED,
        /** Calls on a partition waited for a hand-off. */
        FROZEN,
        /** A change of the catalog had the lock of a partition. */
        LOCKED
    }

    /** As it is printed. */
    String line() {
        return MARK + " " + kind + " " + name.replace(' ', '-') + " " + atNanos + " " + nanos;
    }

    /** The notes among the lines. */
    public static List<NodeNote> in(List<String> lines) {
        return lines.stream().map(NodeNote::read).flatMap(Optional::stream).toList();
    }

    private static Optional<NodeNote> read(String line) {
        String[] words = line.split(" ", -1);
        return words.length == WORDS && words[0].equals(MARK)
                ? Optional.of(new NodeNote(
                        Kind.valueOf(words[1]), words[2], Long.parseLong(words[3]), Long.parseLong(words[4])))
                : Optional.empty();
    }
}
