package dev.fulmar.node.jmx;

import java.util.Map;

/** The node as a member of its cluster. */
public interface MemberMXBean {
    @Gauge("Name of the cluster.")
    String getCluster();

    @Gauge("Counts the processes of this node.")
    long getIncarnation();

    @Gauge("What the node knows of its session with ZooKeeper: CONNECTED, SUSPENDED or LOST.")
    String getSession();

    @Gauge("Per other node whether it is trusted or suspected, by heartbeats.")
    Map<String, String> getHeartbeats();

    @Gauge("Per other node whether there is a link now, with what problem if not, and what went over it.")
    Map<String, String> getLinks();

    @Gauge("Partitions that this node leads and serves.")
    int getServedPartitions();

    @Gauge("Version of the catalog that the node uses.")
    long getCatalogVersion();

    @Gauge(
            "Whether the node's version of the catalog is the newest, as far as the node can know: its copy of the catalog is in sync.")
    boolean isCatalogCurrent();

    @Counter("Requests that were passed on to other nodes.")
    long getForwardedRequests();

    @Gauge("Requests that wait for another node's answer.")
    int getOutstandingRequests();

    @Counter("Requests of which the outcome is unknown because the link to their node broke.")
    long getLostRequests();
}
