package dev.fulmar.coordinator.membership.real;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Access to the ensemble of ZooKeeper servers.
 *
 * @param servers {@code host:port,host:port}
 * @param clusterName of the cluster, under which its state lies
 * @param sessionTimeoutMillis after so long without a word from a node its session ends; the ensemble allows 2 to 20 of
 *     its ticks
 * @param credentials if present, everything is readable and writable with these only; all nodes use the same
 * @param encryption TLS to the ensemble; empty for none
 */
public record ZooKeeperAccess(
        String servers,
        String clusterName,
        int sessionTimeoutMillis,
        Optional<Credentials> credentials,
        Optional<Encryption> encryption) {
    public static final int DEFAULT_SESSION_TIMEOUT_MILLIS = 4_000;

    private static final int MAX_PORT = 65_535;

    /** Name and password for ZooKeeper's digest scheme. */
    public record Credentials(String user, String password) {
        public Credentials {
            if (user.isEmpty() || user.contains(":") || password.isEmpty()) {
                throw new FulmarException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "ZooKeeper's credentials are a user without colons and a password, neither of them empty");
            }
        }

        /** Without the password, which must not come into logs. */
        @Override
        public String toString() {
            return "Credentials[" + user + "]";
        }
    }

    /**
     * TLS, with the servers' host names checked.
     *
     * @param authorities PEM file of the certificates that the servers' have to come from
     * @param identity PEM file with the node's own certificate and its private key, where the servers ask for one
     */
    public record Encryption(Path authorities, Optional<Path> identity) {}

    /** Without TLS. */
    public ZooKeeperAccess(
            String servers, String clusterName, int sessionTimeoutMillis, Optional<Credentials> credentials) {
        this(servers, clusterName, sessionTimeoutMillis, credentials, Optional.empty());
    }

    public ZooKeeperAccess {
        for (String server : servers.split(",", -1)) {
            if (!isHostAndPort(server)) {
                throw new FulmarException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "ZooKeeper's servers are given as host:port,host:port; '" + server + "' is no host and port");
            }
        }
        if (sessionTimeoutMillis < 1) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a session timeout of " + sessionTimeoutMillis + " ms; use " + DEFAULT_SESSION_TIMEOUT_MILLIS);
        }
    }

    /** With the defaults. */
    public static ZooKeeperAccess to(String servers, String clusterName) {
        return new ZooKeeperAccess(servers, clusterName, DEFAULT_SESSION_TIMEOUT_MILLIS, Optional.empty());
    }

    private static boolean isHostAndPort(String server) {
        int colon = server.lastIndexOf(':');
        String port = server.substring(colon + 1);
        return colon > 0
                && !port.isEmpty()
                && port.length() <= 5
                && port.chars().allMatch(c -> c >= '0' && c <= '9')
                && Integer.parseInt(port) >= 1
                && Integer.parseInt(port) <= MAX_PORT
                && server.chars().noneMatch(c -> c <= ' ' || c == '/' || c >= 127);
    }
}
