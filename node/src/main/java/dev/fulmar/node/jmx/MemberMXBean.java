package dev.fulmar.node.jmx;

import java.util.Map;

/** The node as a member of its cluster. */
public interface MemberMXBean {
    String getCluster();

    /** Counts the processes of this node. */
    long getIncarnation();

    /** What the node knows of its session with ZooKeeper: CONNECTED, SUSPENDED or LOST. */
    String getSession();

    /** Per other node whether it is trusted or suspected, by heartbeats. */
    Map<String, String> getHeartbeats();

    /** Per other node whether there is a link now, with what problem if not, and what went over it. */
    Map<String, String> getLinks();

    /** Partitions that this node leads and serves. */
    int getServedPartitions();

    /** Version of the catalog that the node uses. */
    long getCatalogVersion();

    /** Whether that is the newest one, as far as the node can know: its copy of the catalog is in sync. */
    boolean isCatalogCurrent();

    /** Requests that were passed on to other nodes. */
    long getForwardedRequests();

    /** Requests that wait for another node's answer. */
    int getOutstandingRequests();

    /** Requests of which the outcome is unknown because the link to their node broke. */
    long getLostRequests();
}
