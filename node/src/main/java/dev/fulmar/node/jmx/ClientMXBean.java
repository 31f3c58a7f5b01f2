package dev.fulmar.node.jmx;

/** One connection of a client. */
public interface ClientMXBean {
    @Gauge("Number of the connection.")
    long getId();

    @Gauge("What the client calls itself.")
    String getName();

    @Gauge("Where the client connects from.")
    String getAddress();

    @Counter("Requests of the client.")
    long getRequests();

    @Counter("Requests of the client that committed.")
    long getCommitted();

    @Counter("Requests of the client that failed.")
    long getFailed();

    @Gauge("Requests of the client without reply.")
    long getOutstanding();

    @Gauge("Whether the client's requests are left unread until it reads its replies.")
    boolean isPaused();

    @Counter("Bytes read from the client.")
    long getBytesRead();

    @Counter("Bytes written to the client.")
    long getBytesWritten();
}
