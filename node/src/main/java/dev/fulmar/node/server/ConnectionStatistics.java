package dev.fulmar.node.server;

import dev.fulmar.engine.partition.counter.OwnedCounter;

/** Figures of one connection so far. Written by its event loop, read by anybody. */
public final class ConnectionStatistics {
    /** Frames that asked for something. */
    public final OwnedCounter requests = new OwnedCounter();
    /** Answers that said committed. */
    public final OwnedCounter committed = new OwnedCounter();
    /** Answers that told of an error. */
    public final OwnedCounter failed = new OwnedCounter();
    /** Requests without answer at the moment. */
    public final OwnedCounter outstanding = new OwnedCounter();
    /** Bytes read from the socket. */
    public final OwnedCounter bytesRead = new OwnedCounter();
    /** Bytes given to the socket. */
    public final OwnedCounter bytesWritten = new OwnedCounter();

    private final long id;
    private final String name;
    private final String address;
    private volatile boolean paused;

    ConnectionStatistics(long id, String name, String address) {
        this.id = id;
        this.name = name;
        this.address = address;
    }

    /** Unique while the node lives. */
    public long id() {
        return id;
    }

    /** The client's name for itself. */
    public String name() {
        return name;
    }

    public String address() {
        return address;
    }

    /** Whether its requests are left unread until it reads its replies. */
    public boolean paused() {
        return paused;
    }

    void pause(boolean nowPaused) {
        paused = nowPaused;
    }
}
