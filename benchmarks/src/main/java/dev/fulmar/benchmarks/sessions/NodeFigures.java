package dev.fulmar.benchmarks.sessions;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.coordinator.DatabaseFigures;
import dev.fulmar.coordinator.session.SessionFigures;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Figures of a node at rest.
 *
 * @param open transactions of sessions that are open
 * @param takenBytes that they take by the node's account
 * @param timedOut transactions that ended since their clients thought too long
 * @param live multi-partition transactions under way; they alone have locks of partitions between two turns
 * @param lockWaits times that a transaction waited for the lock of a partition
 * @param mostVersionsMillionths the most that versions have taken at a partition, in millionths of the cap
 * @param heapBytes of the heap in use
 */
record NodeFigures(
        long open,
        long takenBytes,
        long timedOut,
        long live,
        long lockWaits,
        long mostVersionsMillionths,
        long heapBytes) {
    private static final double MILLION = 1e6;

    static NodeFigures of(LocalDatabase database, long heapBytes) {
        SessionFigures sessions = database.sessions();
        DatabaseFigures figures = database.database().figures();
        long lockWaits = 0;
        double mostVersions = 0;
        for (int partition = 0; partition < figures.partitionCount(); partition++) {
            lockWaits += figures.partition(partition).lockWaits.get();
            mostVersions = Math.max(mostVersions, figures.highestVersionShare(partition));
        }
        return new NodeFigures(
                sessions.openTransactions(),
                sessions.takenBytes(),
                sessions.timedOut(),
                figures.liveTransactions(),
                lockWaits,
                (long) Math.ceil(MILLION * mostVersions),
                heapBytes);
    }

    /** The most that versions have taken, as a share of their cap. */
    double versionShare() {
        return mostVersionsMillionths / MILLION;
    }

    /** A line that {@link #parse} reads. */
    String text() {
        return Stream.of(open, takenBytes, timedOut, live, lockWaits, mostVersionsMillionths, heapBytes)
                .map(Object::toString)
                .collect(Collectors.joining(" "));
    }

    static NodeFigures parse(String text) {
        List<Long> all = Stream.of(text.strip().split(" ")).map(Long::parseLong).toList();
        return new NodeFigures(all.get(0), all.get(1), all.get(2), all.get(3), all.get(4), all.get(5), all.get(6));
    }
}
