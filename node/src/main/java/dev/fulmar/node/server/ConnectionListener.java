package dev.fulmar.node.server;

/** Hears of clients. Called on event loops, so it must not block. */
public interface ConnectionListener {
    /** A client has introduced itself. */
    void opened(ConnectionStatistics client);

    /** A client that was opened is gone. */
    void closed(ConnectionStatistics client);

    /** Nobody listens. */
    static ConnectionListener none() {
        return new ConnectionListener() {
            @Override
            public void opened(ConnectionStatistics client) {}

            @Override
            public void closed(ConnectionStatistics client) {}
        };
    }
}
