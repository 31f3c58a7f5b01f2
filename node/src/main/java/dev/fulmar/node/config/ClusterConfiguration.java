package dev.fulmar.node.config;

import dev.fulmar.wire.address.HostAddress;

/**
 * The node's place in a cluster; without a {@code cluster} the node is a database of its own.
 *
 * @param name {@code cluster}: name of the cluster; empty for none
 * @param zookeeper {@code zookeeper}: servers of the ensemble, {@code host:port,host:port}; by default the one that this node runs
 * @param embeddedPort {@code zookeeper.embedded}: port at which this node runs a ZooKeeper of its own, for clusters of one machine; 0 for none
 * @param user {@code zookeeper.user}: name for ZooKeeper's digest scheme; empty for none
 * @param password {@code zookeeper.password}: the password to it
 * @param listen {@code listen-nodes}: where other nodes connect; port 0 lets the system choose
 * @param advertised {@code advertise-nodes}: the address that other nodes are told; empty for the one that the node listens at
 */
public record ClusterConfiguration(
        String name,
        String zookeeper,
        int embeddedPort,
        String user,
        String password,
        HostAddress listen,
        String advertised) {
    /** Where nodes take each other's connections unless they are told otherwise. */
    public static final int DEFAULT_NODE_PORT = HostAddress.DEFAULT_PORT + 1;

    private static final int MAX_PORT = 65_535;
    private static final String NAME = "cluster";
    private static final String ZOOKEEPER = "zookeeper";

    static ClusterConfiguration of(Settings settings) {
        int embedded = settings.number("zookeeper.embedded", 0, 0, MAX_PORT);
        ClusterConfiguration read = new ClusterConfiguration(
                settings.text(NAME, ""),
                settings.text(ZOOKEEPER, embedded == 0 ? "" : "127.0.0.1:" + embedded),
                embedded,
                settings.text("zookeeper.user", ""),
                settings.text("zookeeper.password", ""),
                HostAddress.parse(settings.text("listen-nodes", "127.0.0.1:" + DEFAULT_NODE_PORT)),
                settings.text("advertise-nodes", ""));
        if (read.isMember() && read.zookeeper.isEmpty()) {
            throw Settings.refused(
                    ZOOKEEPER, "", "the servers of the ensemble as host:port,host:port, or zookeeper.embedded", null);
        }
        if (!read.isMember() && !read.zookeeper.isEmpty()) {
            throw Settings.refused(NAME, "", "the name of the cluster where there is a ZooKeeper", null);
        }
        return read;
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
