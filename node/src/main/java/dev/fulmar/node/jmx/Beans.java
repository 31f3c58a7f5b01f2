package dev.fulmar.node.jmx;

import dev.fulmar.engine.partition.counter.PartitionCounters;
import dev.fulmar.engine.partition.counter.SiteCounters;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.node.server.ConnectionStatistics;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** The beans behind the small interfaces. */
final class Beans {
    private static final double NANOS_PER_SECOND = 1e9;

    private Beans() {}

    /** A bean that samples its source once a second. */
    interface Sampled {
        void sample(long nowNanos);
    }

    static Map<String, Long> byCode(ToLongFunction<ErrorCode> count) {
        TreeMap<String, Long> counts = new TreeMap<>();
        for (ErrorCode code : ErrorCode.values()) {
            long value = count.applyAsLong(code);
            if (value > 0) {
                counts.put(code.name(), value);
            }
        }
        return counts;
    }

    static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    static final class SiteBean implements SiteMXBean, Sampled {
        private final int site;
        private final SiteCounters counters;
        private final RateMeter handled = new RateMeter();
        private final RateMeter busyNanos = new RateMeter();

        SiteBean(int site, SiteCounters counters) {
            this.site = site;
            this.counters = counters;
        }

        @Override
        public void sample(long nowNanos) {
            handled.sample(nowNanos, counters.handled.get());
            busyNanos.sample(nowNanos, counters.busyNanos.get());
        }

        @Override
        public int getSite() {
            return site;
        }

        @Override
        public long getHandled() {
            return counters.handled.get();
        }

        @Override
        public double getHandledPerSecond() {
            return handled.perSecond();
        }

        @Override
        public long getBusyTurns() {
            return counters.busyTurns.get();
        }

        @Override
        public long getIdleTurns() {
            return counters.idleTurns.get();
        }

        @Override
        public double getBusyShare() {
            return Math.min(1, busyNanos.perSecond() / NANOS_PER_SECOND);
        }
    }

    static final class PartitionBean implements PartitionMXBean, Sampled {
        private final int partition;
        private final FigureSource source;
        private final PartitionCounters counters;
        private final RateMeter committed = new RateMeter();

        PartitionBean(int partition, FigureSource source) {
            this.partition = partition;
            this.source = source;
            this.counters = source.partition(partition);
        }

        @Override
        public void sample(long nowNanos) {
            committed.sample(nowNanos, counters.committed.get() + counters.distributedCommitted.get());
        }

        @Override
        public int getPartition() {
            return partition;
        }

        @Override
        public int getQueueDepth() {
            return source.queueDepth(partition);
        }

        @Override
        public long getCommitted() {
            return counters.committed.get();
        }

        @Override
        public double getCommittedPerSecond() {
            return committed.perSecond();
        }

        @Override
        public long getDistributedCommitted() {
            return counters.distributedCommitted.get();
        }

        @Override
        public long getDistributedAborted() {
            return counters.distributedAborted.get();
        }

        @Override
        public long getAborted() {
            return sum(getAbortedByCode());
        }

        @Override
        public Map<String, Long> getAbortedByCode() {
            return byCode(code -> counters.aborted(code).get());
        }

        @Override
        public long getWounds() {
            return counters.wounds.get();
        }

        @Override
        public long getLockWaits() {
            return counters.lockWaits.get();
        }

        @Override
        public double getLockWaitSeconds() {
            return counters.lockWaitNanos.get() / NANOS_PER_SECOND;
        }

        @Override
        public long getSpeculated() {
            return counters.speculated.get();
        }

        @Override
        public long getSpeculationsUndone() {
            return counters.speculationsUndone.get();
        }

        @Override
        public long getMismatchReruns() {
            return counters.mismatchReruns.get();
        }

        @Override
        public long getDuplicates() {
            return counters.duplicates.get();
        }

        @Override
        public long getExpiredRows() {
            return counters.expiredRows.get();
        }

        @Override
        public long getExpiriesFailed() {
            return counters.expiriesFailed.get();
        }

        @Override
        public long getSnapshots() {
            return counters.snapshots.get();
        }

        @Override
        public long getSnapshotsActive() {
            return counters.snapshotsActive.get();
        }

        @Override
        public double getSnapshotOldestSeconds() {
            return source.snapshotOldestSeconds(partition);
        }

        @Override
        public long getSnapshotSlices() {
            return counters.snapshotSlices.get();
        }

        @Override
        public long getSnapshotsWaited() {
            return counters.snapshotsWaited.get();
        }

        @Override
        public long getSnapshotsExpired() {
            return counters.snapshotsExpired.get();
        }

        @Override
        public long getRepliesHeld() {
            return counters.repliesHeld.get();
        }

        @Override
        public long getVotesRecalled() {
            return counters.votesRecalled.get();
        }
    }

    /** Updated from outside, because procedures come and go. */
    static final class ProcedureBean implements ProcedureMXBean {
        private final RateMeter calls = new RateMeter();
        private final LatencyWindow latency = new LatencyWindow();
        private volatile ProcedureFigures figures;

        ProcedureBean(ProcedureFigures figures) {
            this.figures = figures;
        }

        void update(long nowNanos, ProcedureFigures newFigures) {
            figures = newFigures;
            calls.sample(nowNanos, newFigures.committed() + newFigures.failed());
            latency.sample(newFigures.latency());
        }

        @Override
        public String getProcedure() {
            return figures.name();
        }

        @Override
        public long getCommitted() {
            return figures.committed();
        }

        @Override
        public long getFailed() {
            return figures.failed();
        }

        @Override
        public double getCallsPerSecond() {
            return calls.perSecond();
        }

        @Override
        public double getLatencyP50Micros() {
            return latency.micros(0.5);
        }

        @Override
        public double getLatencyP99Micros() {
            return latency.micros(0.99);
        }

        @Override
        public double getLatencyP999Micros() {
            return latency.micros(0.999);
        }
    }

    /** Updated from outside, because tables come and go. */
    static final class TableBean implements TableMXBean {
        private volatile TableFigures figures;

        TableBean(TableFigures figures) {
            this.figures = figures;
        }

        void update(TableFigures newFigures) {
            figures = newFigures;
        }

        @Override
        public String getTable() {
            return figures.name();
        }

        @Override
        public String getPartitioningColumn() {
            return figures.partitioningColumn();
        }

        @Override
        public int getIndexes() {
            return figures.indexes();
        }

        @Override
        public long getRows() {
            return figures.rows();
        }

        @Override
        public long getMemoryBytes() {
            return figures.memoryBytes();
        }
    }

    static final class ClientBean implements ClientMXBean {
        private final ConnectionStatistics client;

        ClientBean(ConnectionStatistics client) {
            this.client = client;
        }

        @Override
        public long getId() {
            return client.id();
        }

        @Override
        public String getName() {
            return client.name();
        }

        @Override
        public String getAddress() {
            return client.address();
        }

        @Override
        public long getRequests() {
            return client.requests.get();
        }

        @Override
        public long getCommitted() {
            return client.committed.get();
        }

        @Override
        public long getFailed() {
            return client.failed.get();
        }

        @Override
        public long getOutstanding() {
            return client.outstanding.get();
        }

        @Override
        public boolean isPaused() {
            return client.paused();
        }

        @Override
        public long getBytesRead() {
            return client.bytesRead.get();
        }

        @Override
        public long getBytesWritten() {
            return client.bytesWritten.get();
        }
    }
}
