package dev.fulmar.simulator.verify;

import dev.fulmar.simulator.verify.DependencyGraph.Kind;
import dev.fulmar.simulator.verify.Operation.ReadRegister;
import dev.fulmar.simulator.verify.Operation.Write;
import dev.fulmar.simulator.verify.Transaction.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Infers dependencies from registers. A read tells whose write it saw. Which value replaced which follows from
 * transactions that read one and wrote another, and from real time, which strict serializability makes binding.
 */
final class RegisterInference {
    private final Evidence evidence;
    private final Evidence.Writers writers = new Evidence.Writers();
    private final Map<Long, KeyHistory> keys = new TreeMap<>();

    RegisterInference(Evidence evidence) {
        this.evidence = evidence;
    }

    /** Accesses of one transaction to one register. */
    private static final class Access {
        /** The value that it read of others' writes; null if it did not read before its first write. */
        @Nullable OptionalLong read;

        /** Its last write; null if it made none. */
        @Nullable Long written;
    }

    private static final class KeyHistory {
        final Map<Integer, Access> accesses = new TreeMap<>();
    }

    /** Finds who wrote what, and what reads say about their own transaction and its writers. */
    void observe() {
        List<Transaction> history = evidence.history();
        for (int i = 0; i < history.size(); i++) {
            for (Operation operation : history.get(i).operations()) {
                if (operation instanceof Write(long key, long value)) {
                    writers.add(key, value, i);
                    access(key, i).written = value;
                }
            }
        }
        for (int i = 0; i < history.size(); i++) {
            if (history.get(i).outcome() == Outcome.OK) {
                observe(i, history.get(i).operations());
            }
        }
    }

    private Access access(long key, int transaction) {
        return keys.computeIfAbsent(key, any -> new KeyHistory())
                .accesses
                .computeIfAbsent(transaction, any -> new Access());
    }

    private void observe(int reader, List<Operation> operations) {
        Map<Long, OptionalLong> known = new HashMap<>();
        for (Operation operation : operations) {
            switch (operation) {
                case Write(long key, long value) -> known.put(key, OptionalLong.of(value));
                case ReadRegister(long key, OptionalLong value) -> {
                    OptionalLong expected = known.putIfAbsent(key, value);
                    if (expected == null) {
                        firstRead(reader, key, value);
                    } else if (!expected.equals(value)) {
                        evidence.report(
                                Anomaly.INTERNAL,
                                "key " + key + " was read as " + value + " where the transaction itself had left "
                                        + expected,
                                reader);
                    }
                }
                case Operation.Append append -> {}
                case Operation.ReadList read -> {}
            }
        }
    }

    private void firstRead(int reader, long key, OptionalLong value) {
        if (value.isPresent()) {
            Integer writer = evidence.seenWriter(writers, key, value.getAsLong(), reader);
            if (writer == null) {
                return;
            }
            Long last = access(key, writer).written;
            if (writer == reader) {
                evidence.report(
                        Anomaly.INTERNAL,
                        "key " + key + " was read as " + value + ", which the transaction wrote later",
                        reader);
                return;
            }
            if (last == null || last != value.getAsLong()) {
                evidence.report(
                        Anomaly.INTERMEDIATE_READ,
                        "key " + key + " was read as " + value + ", which its writer replaced by " + last,
                        writer,
                        reader);
                return;
            }
            evidence.depends(writer, reader, Kind.WRITE_READ, key);
        }
        access(key, reader).read = value;
    }

    /** Adds what follows from the reads, once it is known who took effect. */
    void infer() {
        keys.forEach((key, history) -> new VersionOrder(key, history).infer());
    }

    /** The values of one register; value 0 is the absence of one, the others are numbered by their writers. */
    private final class VersionOrder {
        private static final int ABSENT = 0;

        private final long key;
        private final List<Integer> members = new ArrayList<>();
        private final Map<Integer, Access> accesses;
        private final Map<Long, Integer> versions = new HashMap<>();
        private final List<Integer> versionWriters = new ArrayList<>();
        private final List<List<Integer>> readers = new ArrayList<>();

        VersionOrder(long key, KeyHistory history) {
            this.key = key;
            this.accesses = history.accesses;
            versionWriters.add(-1);
            readers.add(new ArrayList<>());
            accesses.forEach((transaction, access) -> {
                if (!evidence.isCommitted(transaction)) {
                    return;
                }
                members.add(transaction);
                if (access.written != null) {
                    versions.put(access.written, versionWriters.size());
                    versionWriters.add(transaction);
                    readers.add(new ArrayList<>());
                }
            });
        }

        void infer() {
            // Here a node is a version, and an edge leads to a later version.
            DependencyGraph order = new DependencyGraph(versionWriters.size());
            boolean[] hasEarlier = new boolean[versionWriters.size()];
            for (int member : members) {
                Access access = member(member);
                if (access.read != null) {
                    readers.get(version(access.read)).add(member);
                    if (access.written != null) {
                        link(order, hasEarlier, version(access.read), version(access.written));
                    }
                }
            }
            RealTimeOrder.forEachPair(
                    evidence.history(),
                    members.stream().filter(this::touches).toList(),
                    (earlier, later) ->
                            link(order, hasEarlier, lastVersion(member(earlier)), firstVersion(member(later))));
            for (int version = 1; version < hasEarlier.length; version++) {
                if (!hasEarlier[version]) {
                    order.add(ABSENT, version, Kind.WRITE_WRITE, key);
                }
            }
            List<int[]> circles = order.components();
            if (circles.isEmpty()) {
                inferDependencies(order);
            } else {
                reportCircle(circles.getFirst());
            }
        }

        private void link(DependencyGraph order, boolean[] hasEarlier, int earlier, int later) {
            order.add(earlier, later, Kind.WRITE_WRITE, key);
            hasEarlier[later] |= earlier != later;
        }

        private void inferDependencies(DependencyGraph order) {
            for (int version = 0; version < versionWriters.size(); version++) {
                for (DependencyGraph.Edge edge : order.outgoing(version)) {
                    int next = versionWriters.get(edge.to());
                    if (version != ABSENT) {
                        evidence.depends(versionWriters.get(version), next, Kind.WRITE_WRITE, key);
                    }
                    for (int reader : readers.get(version)) {
                        evidence.missed(reader, next, key, member(reader).written != null);
                    }
                }
            }
        }

        private void reportCircle(int[] circle) {
            TreeSet<Integer> involved = new TreeSet<>();
            List<String> values = new ArrayList<>();
            for (int version : circle) {
                values.add(
                        version == ABSENT ? "no value" : String.valueOf(member(versionWriters.get(version)).written));
                if (version != ABSENT) {
                    involved.add(versionWriters.get(version));
                }
                involved.addAll(readers.get(version));
            }
            evidence.report(
                    Anomaly.CYCLIC_VERSIONS,
                    "key " + key + " had " + values + " each before all the others",
                    involved.stream().mapToInt(Integer::intValue).toArray());
        }

        private Access member(int transaction) {
            Access access = accesses.get(transaction);
            if (access == null) {
                throw new IllegalStateException("a member did not touch its key");
            }
            return access;
        }

        private boolean touches(int member) {
            Access access = member(member);
            return access.read != null || access.written != null;
        }

        private int firstVersion(Access access) {
            return access.read != null ? version(access.read) : version(access.written);
        }

        private int lastVersion(Access access) {
            return access.written != null ? version(access.written) : version(access.read);
        }

        private int version(@Nullable Long value) {
            Integer version = versions.get(value);
            if (version == null) {
                throw new IllegalStateException("value " + value + " of key " + key + " is no version of it");
            }
            return version;
        }

        private int version(@Nullable OptionalLong value) {
            return value == null || value.isEmpty() ? ABSENT : version((Long) value.getAsLong());
        }
    }
}
