package dev.fulmar.node.jmx;

/** One connection of a client. */
public interface ClientMXBean {
    long getId();

    String getName();

    String getAddress();

    long getRequests();

    long getCommitted();

    long getFailed();

    /** Requests without reply. */
    long getOutstanding();

    long getBytesRead();

    long getBytesWritten();
}
