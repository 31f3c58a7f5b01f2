package dev.fulmar.benchmarks.portals;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.coordinator.DatabaseFigures;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Figures of a node.
 *
 * @param open portals and transactions that clients have open
 * @param accountedBytes that requests, portals and transactions take by the node's account
 * @param timedOut portals that ended since their clients did not fetch
 * @param readers registered at partitions
 * @param expired readings that partitions gave up, for their versions took too much
 * @param heldVersionsMillionths the most that versions have taken at a partition, in millionths of the cap
 * @param heapBytes of the heap in use
 */
record PortalNodeFigures(
        long open,
        long accountedBytes,
        long timedOut,
        long readers,
        long expired,
        long heldVersionsMillionths,
        long heapBytes) {
    private static final double MILLION = 1e6;

    static PortalNodeFigures of(LocalDatabase database, long heapBytes) {
        DatabaseFigures figures = database.database().figures();
        long readers = 0;
        long expired = 0;
        double mostVersions = 0;
        for (int partition = 0; partition < figures.partitionCount(); partition++) {
            readers += figures.partition(partition).snapshotsActive.get();
            expired += figures.partition(partition).snapshotsExpired.get();
            mostVersions = Math.max(mostVersions, figures.highestVersionShare(partition));
        }
        return new PortalNodeFigures(
                database.portals().openPortals() + database.sessions().openTransactions(),
                database.portals().takenBytes()
                        + database.sessions().takenBytes()
                        + database.database().underWay().underWayBytes(),
                database.portals().timedOut(),
                readers,
                expired,
                (long) Math.ceil(MILLION * mostVersions),
                heapBytes);
    }

    /** The most that versions have taken, as a share of their cap. */
    double versionShare() {
        return heldVersionsMillionths / MILLION;
    }

    /** A line that {@link #parse} reads. */
    String text() {
        return Stream.of(open, accountedBytes, timedOut, readers, expired, heldVersionsMillionths, heapBytes)
                .map(Object::toString)
                .collect(Collectors.joining(" "));
    }

    static PortalNodeFigures parse(String text) {
        List<Long> all = Stream.of(text.strip().split(" ")).map(Long::parseLong).toList();
        return new PortalNodeFigures(
                all.get(0), all.get(1), all.get(2), all.get(3), all.get(4), all.get(5), all.get(6));
    }
}
