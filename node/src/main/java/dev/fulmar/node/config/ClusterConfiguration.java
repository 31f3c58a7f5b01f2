package dev.fulmar.node.config;

import dev.fulmar.coordinator.membership.real.ZooKeeperAccess;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.data.OwnerOnly;
import dev.fulmar.node.tls.TlsFiles;
import dev.fulmar.wire.address.HostAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The node's place in a cluster; without a {@code cluster} the node is a database of its own.
 *
 * @param name {@code cluster}: name of the cluster; empty for none
 * @param zookeeper {@code zookeeper}: servers of the ensemble, {@code host:port,host:port}; by default the one that
 *     this node runs
 * @param embeddedPort {@code zookeeper.embedded}: port at which this node runs a ZooKeeper of its own, for clusters of
 *     one machine; 0 for none
 * @param user {@code zookeeper.user}: name for ZooKeeper's digest scheme; empty for none
 * @param password {@code zookeeper.password}, or the first line of the file {@code zookeeper.password-file}: the
 *     password to it
 * @param listen {@code listen-nodes}: where other nodes connect; port 0 lets the system choose
 * @param advertised {@code advertise-nodes}: the address that other nodes are told; empty for the one that the node
 *     listens at
 * @param advertisedToClients {@code advertise}: the address that clients of other nodes are told; empty for the one
 *     that the node listens at
 * @param tls {@code tls.node-authorities}, and {@code tls.node-certificate} and {@code tls.node-key} if they are not
 *     the ones that clients see: how links between nodes are encrypted; empty for links that are not
 * @param zookeeperTls {@code zookeeper.tls-authorities} and {@code zookeeper.tls-identity}: TLS to ZooKeeper; empty for
 *     none
 */
public record ClusterConfiguration(
        String name,
        String zookeeper,
        int embeddedPort,
        String user,
        String password,
        HostAddress listen,
        String advertised,
        String advertisedToClients,
        Optional<TlsFiles> tls,
        Optional<ZooKeeperAccess.Encryption> zookeeperTls) {
    /** Port at which a node accepts connections of other nodes by default. */
    public static final int DEFAULT_NODE_PORT = HostAddress.DEFAULT_PORT + 1;

    private static final int MAX_PORT = 65_535;
    static final String NAME = "cluster";
    private static final String ZOOKEEPER = "zookeeper";

    static ClusterConfiguration of(Settings settings) {
        int embedded = settings.number("zookeeper.embedded", 0, 0, MAX_PORT);
        ClusterConfiguration read = new ClusterConfiguration(
                settings.text(NAME, ""),
                settings.text(ZOOKEEPER, embedded == 0 ? "" : "127.0.0.1:" + embedded),
                embedded,
                settings.text("zookeeper.user", ""),
                password(settings),
                HostAddress.parse(settings.text("listen-nodes", "127.0.0.1:" + DEFAULT_NODE_PORT)),
                settings.text("advertise-nodes", ""),
                settings.text("advertise", ""),
                tls(settings),
                zookeeperTls(settings));
        if (read.isMember() && read.zookeeper.isEmpty()) {
            throw Settings.refused(
                    ZOOKEEPER, "", "the servers of the ensemble as host:port,host:port, or zookeeper.embedded", null);
        }
        if (!read.isMember() && !read.zookeeper.isEmpty()) {
            throw Settings.refused(NAME, "", "the name of the cluster where there is a ZooKeeper", null);
        }
        if (read.isMember()
                && read.tls.isEmpty()
                && !SecurityConfiguration.isLoopback(read.listen.host())
                && !settings.truth("insecure", false)) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the node would take other nodes' connections at " + read.listen
                            + ", which others can reach, without TLS; name the authority of the nodes' certificates with"
                            + " tls.node-authorities, or say --insecure if everybody who can reach it may do everything");
        }
        if (read.isMember() && isWildcard(read.listen.host()) && read.advertised.isEmpty()) {
            throw Settings.refused(
                    "listen-nodes",
                    read.listen.toString(),
                    "one address, or say with advertise-nodes at which of them other nodes reach this one",
                    null);
        }
        return read;
    }

    private static boolean isWildcard(String host) {
        try {
            return InetAddress.getByName(host).isAnyLocalAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Address at which clients reach the node, which listens for them at the bound address. */
    public HostAddress clientAddress(HostAddress bound) {
        if (!advertisedToClients.isEmpty()) {
            return HostAddress.parse(advertisedToClients);
        }
        return isWildcard(bound.host())
                ? new HostAddress(
                        HostAddress.parse(advertised.isEmpty() ? listen.toString() : advertised)
                                .host(),
                        bound.port())
                : bound;
    }

    private static String password(Settings settings) {
        String given = settings.text("zookeeper.password", "");
        String file = settings.text("zookeeper.password-file", "");
        if (file.isEmpty()) {
            return given;
        }
        Path path = Path.of(file);
        try {
            if (OwnerOnly.isOpenToOthers(path)) {
                throw Settings.refused(
                        "zookeeper.password-file", file, "a file that only its owner may read (chmod 600)", null);
            }
            return Files.readString(path).lines().findFirst().orElse("").strip();
        } catch (IOException e) {
            throw Settings.refused("zookeeper.password-file", file, "a file that can be read", e);
        }
    }

    private static Optional<TlsFiles> tls(Settings settings) {
        String authorities = settings.text("tls.node-authorities", "");
        String certificate = settings.text("tls.node-certificate", settings.text("tls.certificate", ""));
        String key = settings.text("tls.node-key", settings.text("tls.key", ""));
        if (authorities.isEmpty()) {
            return Optional.empty();
        }
        if (certificate.isEmpty() || key.isEmpty()) {
            throw Settings.refused(
                    "tls.node-authorities",
                    authorities,
                    "it beside tls.node-certificate and tls.node-key, or tls.certificate and tls.key",
                    null);
        }
        return Optional.of(new TlsFiles(Path.of(certificate), Path.of(key), Optional.of(Path.of(authorities))));
    }

    private static Optional<ZooKeeperAccess.Encryption> zookeeperTls(Settings settings) {
        String authorities = settings.text("zookeeper.tls-authorities", "");
        String identity = settings.text("zookeeper.tls-identity", "");
        return authorities.isEmpty()
                ? Optional.empty()
                : Optional.of(new ZooKeeperAccess.Encryption(
                        Path.of(authorities), identity.isEmpty() ? Optional.empty() : Optional.of(Path.of(identity))));
    }

    /** Whether the node belongs to a cluster. */
    public boolean isMember() {
        return !name.isEmpty();
    }

    /** Without the password, which must not come into logs. */
    @Override
    public String toString() {
        return name + " at " + zookeeper;
    }
}
