package dev.fulmar.node.server;

import java.util.concurrent.atomic.AtomicInteger;

/** An address where clients come in: who does, and how many there may be. Thread-safe. */
final class ConnectionAdmission {
    /** Connections beyond the limit that are kept for administrators. */
    static final int KEPT_CONNECTIONS = 8;

    /** Requests beyond the limit that are kept for the node's own procedures. */
    static final int KEPT_REQUESTS = 64;

    private static final HandshakeLimits ADMINISTRATORS = new HandshakeLimits(16, 16);

    /** Connections that are open, refused ones included until they are closed. */
    final AtomicInteger connections = new AtomicInteger();

    final PendingConnections pending;
    private final int mostConnections;
    private final boolean forAdministration;

    private ConnectionAdmission(PendingConnections pending, int mostConnections, boolean forAdministration) {
        this.pending = pending;
        this.mostConnections = mostConnections;
        this.forAdministration = forAdministration;
    }

    /** For everybody. */
    static ConnectionAdmission forClients(HandshakeLimits limits, int mostConnections) {
        return new ConnectionAdmission(new PendingConnections(limits), mostConnections, false);
    }

    /** For administrators alone; what others do at their door takes nothing from it. */
    static ConnectionAdmission forAdministrators() {
        return new ConnectionAdmission(new PendingConnections(ADMINISTRATORS), KEPT_CONNECTIONS, true);
    }

    boolean isForAdministration() {
        return forAdministration;
    }

    int mostConnections() {
        return mostConnections;
    }

    /** Whether there are more connections than may be. */
    boolean isCrowded() {
        return connections.get() > mostConnections;
    }

    /** Whether there are so many that not even an administrator is let in. */
    boolean isFull() {
        return connections.get() > mostConnections + (forAdministration ? 0 : KEPT_CONNECTIONS);
    }
}
