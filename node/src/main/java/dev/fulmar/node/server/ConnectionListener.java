package dev.fulmar.node.server;

/** Listens to clients that connect and leave. Called on event loops, so it must not block. */
public interface ConnectionListener {
    /** A client has introduced itself. */
    void opened(ConnectionStatistics client);

    /** A client that was opened is gone. */
    void closed(ConnectionStatistics client);

    /** A listener that ignores all events. */
    static ConnectionListener none() {
        return new ConnectionListener() {
            @Override
            public void opened(ConnectionStatistics client) {}

            @Override
            public void closed(ConnectionStatistics client) {}
        };
    }
}
