package dev.fulmar.node.jmx;

import java.util.List;
import java.util.Map;

/** The node as a whole. Rates are over the last seconds, latencies over the last ten, from arrival to reply. */
public interface NodeMXBean {
    @Gauge("Number of the node.")
    int getNode();

    @Gauge("Time since the start.")
    double getUptimeSeconds();

    @Gauge("Whether a transaction commits on each partition that the node leads, as /health/ready tells.")
    boolean isServingTransactions();

    @Gauge("Partitions of the cluster that have keys.")
    int getPartitions();

    @Gauge("Partitions without keys, to which a plan can give some.")
    int getSparePartitions();

    @Gauge("Threads that run partitions.")
    int getSites();

    @Gauge("Version of the catalog.")
    long getCatalogVersion();

    @Gauge("What a reply to a write promises: SYNC, ASYNC or NONE.")
    String getDurability();

    @Gauge("Connections of clients.")
    int getConnections();

    @Counter("Connections that were refused because there were too many, or no log-in succeeded.")
    long getConnectionsRefused();

    @Counter("Connections that were closed for what they sent.")
    long getConnectionsMalformed();

    @Gauge("Requests taken and not answered.")
    int getQueuedRequests();

    @Gauge("Multi-partition transactions under way.")
    int getLiveTransactions();

    @Counter("Requests of clients.")
    long getRequests();

    @Counter("Requests that committed.")
    long getCommitted();

    @Counter("Requests that failed.")
    long getFailed();

    @Counter("Requests that failed, by error code.")
    Map<String, Long> getFailedByCode();

    @Gauge("Requests per second, over the last seconds.")
    double getRequestsPerSecond();

    @Gauge("Microseconds from arrival to reply over the last ten seconds, median.")
    double getLatencyP50Micros();

    @Gauge("Microseconds from arrival to reply over the last ten seconds, 90th percentile.")
    double getLatencyP90Micros();

    @Gauge("Microseconds from arrival to reply over the last ten seconds, 99th percentile.")
    double getLatencyP99Micros();

    @Gauge("Microseconds from arrival to reply over the last ten seconds, 99.9th percentile.")
    double getLatencyP999Micros();

    @Gauge("Off-heap memory of the data.")
    long getMemoryUsedBytes();

    @Gauge("The most off-heap memory that data may take: the setting memory.limit.")
    long getMemoryLimitBytes();

    @Gauge("Java heap in use, garbage included.")
    long getHeapUsedBytes();

    @Gauge("What requests, results and replies under way may take together, in bytes.")
    long getUnderWayLimitBytes();

    @Gauge("What requests, results and replies under way take now, in bytes.")
    long getUnderWayBytes();

    @Counter("Requests that were refused because too many bytes were under way.")
    long getUnderWayRefused();

    @Counter("Connections that were closed since their clients took no replies, or sent no more of a large request.")
    long getConnectionsStalled();

    @Counter(
            "SQL statements that were planned, or failed by what they say; what is known already is not planned again.")
    long getStatementsPlanned();

    @Counter("SQL statements that were not planned: the queue was full, their time was over, or their client had gone.")
    long getStatementsNotPlanned();

    @Gauge("SQL statements that wait for a planner.")
    int getStatementsWaiting();

    @Counter("From when statements got a planner to when it had done with them, together.")
    double getPlanningSeconds();

    @Gauge("Transactions that clients send statement by statement and that are open.")
    int getOpenTransactions();

    @Gauge("What open transactions take of the heap, in bytes.")
    long getOpenTransactionBytes();

    @Counter("Transactions that clients have begun.")
    long getTransactionsBegun();

    @Counter("Transactions that failed since another one had changed what they had read or written.")
    long getSerializationFailures();

    @Counter("Transactions that were rolled back since their clients thought too long.")
    long getTransactionsTimedOut();

    /**
     * Transactions that clients send statement by statement and that are open, those that began first; at most so many,
     * and 1,000. It is an operation, as figures are read all the time and this can be long.
     */
    @Listing("Open transactions that clients send statement by statement, the oldest ones, at most so many and 1,000.")
    List<TransactionFigures> oldestTransactions(int most);

    @Gauge("Portals that are open: results that clients fetch in parts.")
    int getOpenPortals();

    @Gauge("What open portals take of the heap, with results that they hold, in bytes.")
    long getOpenPortalBytes();

    @Counter("Portals that clients have opened.")
    long getPortalsOpened();

    @Counter("Portals that were ended since their clients did not fetch.")
    long getPortalsTimedOut();
}
