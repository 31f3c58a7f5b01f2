package dev.fulmar.simulator.verify;

import dev.fulmar.simulator.verify.DependencyGraph.Kind;
import dev.fulmar.simulator.verify.Operation.Append;
import dev.fulmar.simulator.verify.Operation.ReadList;
import dev.fulmar.simulator.verify.Transaction.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Infers dependencies from lists: since a list only grows, every read tells the order of all writes that it saw. */
final class ListInference {
    private final Evidence evidence;
    private final Evidence.Writers writers = new Evidence.Writers();
    private final Map<Long, KeyHistory> keys = new TreeMap<>();

    ListInference(Evidence evidence) {
        this.evidence = evidence;
    }

    /**
     * A read from outside: what others had written when the transaction first looked.
     *
     * @param seen all elements that it saw
     * @param foreign how many of them, from the first, were not its own
     */
    private record Observation(int reader, List<Long> seen, int foreign) {}

    private static final class KeyHistory {
        final List<Observation> observations = new ArrayList<>();
        final Map<Integer, List<Long>> appends = new TreeMap<>();
    }

    /** Finds who appended what, and what reads say about their own transaction and its writers. */
    void observe() {
        List<Transaction> history = evidence.history();
        for (int i = 0; i < history.size(); i++) {
            for (Operation operation : history.get(i).operations()) {
                if (operation instanceof Append append) {
                    writers.add(append.key(), append.element(), i);
                    key(append.key())
                            .appends
                            .computeIfAbsent(i, any -> new ArrayList<>())
                            .add(append.element());
                }
            }
        }
        for (int i = 0; i < history.size(); i++) {
            if (history.get(i).outcome() == Outcome.OK) {
                observe(i, history.get(i).operations());
            }
        }
    }

    private KeyHistory key(long key) {
        return keys.computeIfAbsent(key, any -> new KeyHistory());
    }

    private void observe(int reader, List<Operation> operations) {
        Map<Long, List<Long>> known = new HashMap<>();
        Map<Long, List<Long>> ownAppends = new HashMap<>();
        for (Operation operation : operations) {
            switch (operation) {
                case Append(long key, long element) -> {
                    ownAppends.computeIfAbsent(key, any -> new ArrayList<>()).add(element);
                    if (known.containsKey(key)) {
                        known.get(key).add(element);
                    }
                }
                case ReadList(long key, List<Long> elements) -> {
                    List<Long> expected = known.get(key);
                    if (expected == null) {
                        firstRead(reader, key, elements, ownAppends.getOrDefault(key, List.of()));
                    } else if (!expected.equals(elements)) {
                        evidence.report(
                                Anomaly.INTERNAL,
                                "key " + key + " was read as " + elements + " where the transaction itself had left "
                                        + expected,
                                reader);
                    }
                    known.put(key, new ArrayList<>(elements));
                }
                case Operation.Write write -> {}
                case Operation.ReadRegister read -> {}
            }
        }
    }

    private void firstRead(int reader, long key, List<Long> elements, List<Long> own) {
        int foreign = elements.size() - own.size();
        if (foreign < 0 || !elements.subList(foreign, elements.size()).equals(own)) {
            evidence.report(
                    Anomaly.INTERNAL,
                    "key " + key + " was read as " + elements + " after the transaction had appended " + own,
                    reader);
            return;
        }
        if (new HashSet<>(elements).size() < elements.size()) {
            evidence.report(Anomaly.DUPLICATE_ELEMENT, "key " + key + " was read as " + elements, reader);
            return;
        }
        for (long element : elements.subList(0, foreign)) {
            Integer writer = writers.of(key, element);
            if (writer != null && writer == reader) {
                evidence.report(
                        Anomaly.INTERNAL,
                        "key " + key + " was read as " + elements + " before the transaction appended " + element,
                        reader);
                return;
            }
        }
        boolean clean = true;
        for (long element : elements) {
            clean &= evidence.seenWriter(writers, key, element, reader) != null;
        }
        if (clean) {
            key(key).observations.add(new Observation(reader, elements, foreign));
        }
    }

    /** Adds what follows from the reads, once it is known who took effect. */
    void infer() {
        keys.forEach((key, history) -> {
            List<Long> order = longest(key, history);
            if (order != null) {
                List<Integer> unseen = inferWrites(key, history, order);
                history.observations.forEach(observation -> inferRead(key, history, observation, order, unseen));
            }
        });
    }

    /** The longest read, of which all others must be prefixes; null if one is not. */
    private @Nullable List<Long> longest(long key, KeyHistory history) {
        Observation longest = null;
        for (Observation observation : history.observations) {
            if (longest == null || observation.seen.size() > longest.seen.size()) {
                longest = observation;
            }
        }
        if (longest == null) {
            return List.of();
        }
        for (Observation observation : history.observations) {
            if (!longest.seen.subList(0, observation.seen.size()).equals(observation.seen)) {
                evidence.report(
                        Anomaly.INCOMPATIBLE_ORDER,
                        "key " + key + " was read as " + longest.seen + " and as " + observation.seen,
                        longest.reader,
                        observation.reader);
                return null;
            }
        }
        return longest.seen;
    }

    /** Adds the order of the key's writers; returns those that wrote after everything that was seen. */
    private List<Integer> inferWrites(long key, KeyHistory history, List<Long> order) {
        Map<Long, Integer> positions = new HashMap<>();
        for (int i = 0; i < order.size(); i++) {
            positions.put(order.get(i), i);
            if (i > 0) {
                evidence.depends(writer(key, order.get(i - 1)), writer(key, order.get(i)), Kind.WRITE_WRITE, key);
            }
        }
        List<Integer> unseen = new ArrayList<>();
        history.appends.forEach((writer, elements) -> {
            List<Integer> found = elements.stream()
                    .filter(positions::containsKey)
                    .map(positions::get)
                    .toList();
            if (!found.equals(found.stream().sorted().toList())) {
                evidence.report(
                        Anomaly.INCOMPATIBLE_ORDER,
                        "key " + key + " holds " + order + " against its writer's order " + elements,
                        writer);
            }
            if (evidence.isCommitted(writer) && found.size() < elements.size()) {
                unseen.add(writer);
                if (!order.isEmpty()) {
                    evidence.depends(writer(key, order.getLast()), writer, Kind.WRITE_WRITE, key);
                }
            }
        });
        return unseen;
    }

    private void inferRead(
            long key, KeyHistory history, Observation observation, List<Long> order, List<Integer> unseen) {
        int reader = observation.reader;
        if (observation.foreign > 0) {
            long last = observation.seen.get(observation.foreign - 1);
            int writer = writer(key, last);
            evidence.depends(writer, reader, Kind.WRITE_READ, key);
            List<Long> all = history.appends.getOrDefault(writer, List.of());
            if (writer != reader && all.getLast() != last) {
                evidence.report(
                        Anomaly.INTERMEDIATE_READ,
                        "key " + key + " was read up to " + last + ", after which its writer appended " + all.getLast(),
                        writer,
                        reader);
            }
        }
        boolean replaces = history.appends.containsKey(reader);
        if (observation.foreign < order.size()) {
            evidence.missed(reader, writer(key, order.get(observation.foreign)), key, replaces);
        } else {
            for (int writer : unseen) {
                evidence.missed(reader, writer, key, replaces);
            }
        }
    }

    private int writer(long key, long element) {
        Integer writer = writers.of(key, element);
        if (writer == null) {
            throw new IllegalStateException("a read was accepted whose writer is unknown");
        }
        return writer;
    }
}
