package dev.fulmar.node.jmx;

import java.util.Map;

/** The node as a whole. Rates are over the last seconds, latencies over the last ten, from arrival to reply. */
public interface NodeMXBean {
    int getNode();

    double getUptimeSeconds();

    int getPartitions();

    int getSites();

    long getCatalogVersion();

    /** SYNC, ASYNC or NONE: what a reply to a write promises. */
    String getDurability();

    int getConnections();

    long getConnectionsRefused();

    /** Connections closed for what they sent. */
    long getConnectionsMalformed();

    /** Requests taken and not answered. */
    int getQueuedRequests();

    /** Multi-partition transactions under way. */
    int getLiveTransactions();

    long getRequests();

    long getCommitted();

    long getFailed();

    Map<String, Long> getFailedByCode();

    double getRequestsPerSecond();

    double getLatencyP50Micros();

    double getLatencyP90Micros();

    double getLatencyP99Micros();

    double getLatencyP999Micros();

    /** Off-heap memory of the data. */
    long getMemoryUsedBytes();

    long getMemoryLimitBytes();

    long getHeapUsedBytes();

    /** What requests, results and replies under way may take together, in bytes. */
    long getUnderWayLimitBytes();

    /** What they take now, in bytes. */
    long getUnderWayBytes();

    /** Requests that were refused since the limit was reached. */
    long getUnderWayRefused();

    /** Connections that were closed since their clients took no replies, or sent no more of a large request. */
    long getConnectionsStalled();

    /** SQL statements that were planned, or failed by what they say; what is known already is not planned again. */
    long getStatementsPlanned();

    /** SQL statements that were not planned: the queue was full, their time was over, or their client had gone. */
    long getStatementsNotPlanned();

    /** SQL statements that wait for a planner. */
    int getStatementsWaiting();

    /** From when statements got a planner to when it had done with them, together. */
    double getPlanningSeconds();
}
