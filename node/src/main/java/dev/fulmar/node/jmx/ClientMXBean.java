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

    /** Whether its requests are left unread until it reads its replies. */
    boolean isPaused();

    long getBytesRead();

    long getBytesWritten();
}
