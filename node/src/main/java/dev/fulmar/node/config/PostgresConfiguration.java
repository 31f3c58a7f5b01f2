package dev.fulmar.node.config;

import dev.fulmar.node.server.PostgresAddress;
import dev.fulmar.wire.address.HostAddress;
import java.util.Optional;

/** Reads {@code postgres}: where the node listens for clients of PostgreSQL's protocol. */
final class PostgresConfiguration {
    private static final int USUAL_PORT = 5432;
    private static final int NEAR_PORTS = 1_000;
    private static final String HOST = "127.0.0.1";

    private PostgresConfiguration() {}

    /**
     * The address; empty where the setting is {@code off}. By default it is that of PostgreSQL on this machine; nodes
     * that listen one port apart for their own clients do so here too.
     *
     * @param listen where the node listens for its own clients
     */
    static Optional<PostgresAddress> of(Settings settings, HostAddress listen) {
        String text = settings.text("postgres", "");
        if (text.equals("off")) {
            return Optional.empty();
        }
        return Optional.of(
                text.isEmpty()
                        ? new PostgresAddress(new HostAddress(HOST, usualPort(listen.port())), false)
                        : new PostgresAddress(HostAddress.parse(text, USUAL_PORT), true));
    }

    private static int usualPort(int listen) {
        int beyond = listen - HostAddress.DEFAULT_PORT;
        if (listen == 0) {
            return 0; // whichever is free, like the other one
        }
        return beyond >= 0 && beyond < NEAR_PORTS ? USUAL_PORT + beyond : USUAL_PORT;
    }
}
