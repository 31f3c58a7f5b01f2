package dev.fulmar.node.jmx;

import dev.fulmar.node.server.NodeServer;
import java.util.List;
import java.util.Map;

/** The node as a whole, as its parts count. */
final class NodeBean implements NodeMXBean, Beans.Sampled {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int MOST_TRANSACTIONS = 1_000;

    private final int node;
    private final NodeServer server;
    private final FigureSource database;
    private final long startNanos = System.nanoTime();
    private final RateMeter requests = new RateMeter();
    private final LatencyWindow latency = new LatencyWindow();

    NodeBean(int node, NodeServer server, FigureSource database) {
        this.node = node;
        this.server = server;
        this.database = database;
    }

    @Override
    public void sample(long nowNanos) {
        requests.sample(nowNanos, server.statistics().requests());
        latency.sample(server.statistics().latency());
    }

    @Override
    public int getNode() {
        return node;
    }

    @Override
    public double getUptimeSeconds() {
        return (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
    }

    @Override
    public boolean isServingTransactions() {
        return database.servesTransactions();
    }

    @Override
    public int getPartitions() {
        return database.partitionsWithKeys();
    }

    @Override
    public int getSparePartitions() {
        return database.partitionCount() - database.partitionsWithKeys();
    }

    @Override
    public int getSites() {
        return database.siteCount();
    }

    @Override
    public long getCatalogVersion() {
        return database.catalogVersion();
    }

    @Override
    public String getDurability() {
        return database.durability().name();
    }

    @Override
    public int getConnections() {
        return server.connections();
    }

    @Override
    public long getConnectionsRefused() {
        return server.statistics().connectionsRefused();
    }

    @Override
    public long getConnectionsMalformed() {
        return server.statistics().malformed();
    }

    @Override
    public int getQueuedRequests() {
        return server.queued();
    }

    @Override
    public int getLiveTransactions() {
        return database.liveTransactions();
    }

    @Override
    public long getRequests() {
        return server.statistics().requests();
    }

    @Override
    public long getCommitted() {
        return server.statistics().committed();
    }

    @Override
    public long getFailed() {
        return Beans.sum(getFailedByCode());
    }

    @Override
    public Map<String, Long> getFailedByCode() {
        return Beans.byCode(server.statistics()::failed);
    }

    @Override
    public double getRequestsPerSecond() {
        return requests.perSecond();
    }

    @Override
    public double getLatencyP50Micros() {
        return latency.micros(0.5);
    }

    @Override
    public double getLatencyP90Micros() {
        return latency.micros(0.9);
    }

    @Override
    public double getLatencyP99Micros() {
        return latency.micros(0.99);
    }

    @Override
    public double getLatencyP999Micros() {
        return latency.micros(0.999);
    }

    @Override
    public long getMemoryUsedBytes() {
        return database.memoryUsedBytes();
    }

    @Override
    public long getMemoryLimitBytes() {
        return database.memoryLimitBytes();
    }

    @Override
    public long getHeapUsedBytes() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Override
    public long getUnderWayLimitBytes() {
        return server.underWay().limitBytes();
    }

    @Override
    public long getUnderWayBytes() {
        return server.underWay().underWayBytes();
    }

    @Override
    public long getUnderWayRefused() {
        return server.underWay().refused();
    }

    @Override
    public long getConnectionsStalled() {
        return server.statistics().stalled();
    }

    @Override
    public long getStatementsPlanned() {
        return database.planning().planned();
    }

    @Override
    public long getStatementsNotPlanned() {
        return database.planning().refused();
    }

    @Override
    public int getStatementsWaiting() {
        return database.planning().waiting();
    }

    @Override
    public double getPlanningSeconds() {
        return database.planning().nanos() / NANOS_PER_SECOND;
    }

    @Override
    public int getOpenTransactions() {
        return database.sessions().openTransactions();
    }

    @Override
    public long getOpenTransactionBytes() {
        return database.sessions().takenBytes();
    }

    @Override
    public long getTransactionsBegun() {
        return database.sessions().begun();
    }

    @Override
    public long getSerializationFailures() {
        return database.sessions().serializationFailures();
    }

    @Override
    public long getTransactionsTimedOut() {
        return database.sessions().timedOut();
    }

    @Override
    public List<TransactionFigures> oldestTransactions(int most) {
        int bounded = Math.max(0, Math.min(most, MOST_TRANSACTIONS));
        return database.sessions().oldest(bounded).stream()
                .map(TransactionFigures::of)
                .toList();
    }

    @Override
    public int getOpenPortals() {
        return database.portals().openPortals();
    }

    @Override
    public long getOpenPortalBytes() {
        return database.portals().takenBytes();
    }

    @Override
    public long getPortalsOpened() {
        return database.portals().opened();
    }

    @Override
    public long getPortalsTimedOut() {
        return database.portals().timedOut();
    }
}
