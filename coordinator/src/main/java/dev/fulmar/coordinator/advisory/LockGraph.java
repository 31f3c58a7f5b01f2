package dev.fulmar.coordinator.advisory;

import dev.fulmar.foundation.data.ResultBlock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The waits of sessions for each other. Of sessions that wait for each other one gives up: the one that began to wait
 * last. All of them see the same, so no two do.
 */
final class LockGraph {
    private final List<Row> held = new ArrayList<>();

    /** By their sessions, which wait for one lock at a time. */
    private final Map<String, Row> waiting = new TreeMap<>();

    /** @param sinceMicros when the session began to wait */
    record Row(AdvisoryKey key, String holder, boolean isShared, long sinceMicros) {}

    /**
     * Reads the result of {@link LockStatements#all}.
     *
     * @param isThere whether a session is there to give a lock back
     */
    static LockGraph of(byte[] results, Predicate<String> isThere) {
        LockGraph graph = new LockGraph();
        ResultBlock block = new ResultBlock().wrap(results, 0, results.length);
        while (block.next()) {
            AdvisoryKey key = new AdvisoryKey(block.getLong(1) != 0, block.getLong(0));
            String holder = String.valueOf(block.string(2));
            if (isThere.test(holder)) {
                graph.add(new Row(key, holder, block.getLong(3) != 0, block.getLong(4)));
            }
        }
        return graph;
    }

    void add(Row row) {
        if (row.sinceMicros() == 0) {
            held.add(row);
        } else {
            waiting.put(row.holder(), row);
        }
    }

    /** The session that is to give up, of those that wait for each other and for this one; none if none do. */
    Optional<String> victim(String session) {
        List<String> cycle = cycle(session);
        return cycle.stream()
                .max(Comparator.comparingLong((String each) -> row(each).sinceMicros())
                        .thenComparing(Comparator.naturalOrder()));
    }

    private Row row(String session) {
        Row row = waiting.get(session);
        if (row == null) {
            throw new IllegalStateException("a session of a cycle waits");
        }
        return row;
    }

    /** The sessions on a way of waits from the session back to itself; empty if there is none. */
    private List<String> cycle(String session) {
        Map<String, String> cameFrom = new TreeMap<>();
        Deque<String> next = new ArrayDeque<>(List.of(session));
        while (!next.isEmpty()) {
            String from = next.remove();
            for (String to : awaited(from)) {
                if (!waiting.containsKey(to) || cameFrom.containsKey(to)) {
                    continue;
                }
                cameFrom.put(to, from);
                if (to.equals(session)) {
                    return way(session, cameFrom);
                }
                next.add(to);
            }
        }
        return List.of();
    }

    private static List<String> way(String session, Map<String, String> cameFrom) {
        List<String> way = new ArrayList<>();
        String place = session;
        do {
            way.add(place);
            place = cameFrom.getOrDefault(place, session);
        } while (!place.equals(session));
        return way;
    }

    /** The sessions that have the lock which this one waits for, or are before it. */
    private TreeSet<String> awaited(String session) {
        TreeSet<String> awaited = new TreeSet<>();
        Row wish = waiting.get(session);
        if (wish != null) {
            held.stream()
                    .filter(row -> row.key().equals(wish.key()) && !row.holder().equals(session))
                    .filter(row -> !row.isShared() || !wish.isShared())
                    .forEach(row -> awaited.add(row.holder()));
            waiting.values().stream()
                    .filter(row -> row.key().equals(wish.key()) && isBefore(row, wish))
                    .forEach(row -> awaited.add(row.holder()));
        }
        return awaited;
    }

    /** Whether the other one is before it in the queue of their node. */
    private static boolean isBefore(Row other, Row wish) {
        boolean isOfOneNode = Holders.node(other.holder()) == Holders.node(wish.holder());
        return isOfOneNode && other.sinceMicros() < wish.sinceMicros();
    }
}
