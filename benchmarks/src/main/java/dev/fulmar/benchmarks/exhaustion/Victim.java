package dev.fulmar.benchmarks.exhaustion;

import dev.fulmar.benchmarks.cluster.RunningCluster;
import dev.fulmar.benchmarks.failstop.ListeningPorts;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The node that runs out of something.
 *
 * @param process the system's number of its process
 * @param ports at which it listened when it was well
 * @param healthPort of them, the one where it tells how it is
 */
record Victim(RunningCluster cluster, int node, long process, List<Integer> ports, int healthPort) {
    private static final int HEALTH_MILLIS = 2_500;
    private static final int ASK_MILLIS = 500;
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    static Victim of(RunningCluster cluster, int node) throws IOException {
        long process = cluster.node(node).processNumber();
        List<Integer> ports = List.copyOf(ListeningPorts.of(process));
        for (int port : ports) {
            int answer = ask(port, ASK_MILLIS);
            if (answer == OK || answer == UNAVAILABLE) {
                return new Victim(cluster, node, process, ports, port);
            }
        }
        throw new IOException("node " + node + " tells at none of " + ports + " whether it is ready");
    }

    boolean isReady() {
        return ask(healthPort, HEALTH_MILLIS) == OK;
    }

    OptionalInt exitStatus() {
        return cluster.node(node).exitStatus();
    }

    int clientPort() {
        String address = cluster.address(node);
        return Integer.parseInt(address.substring(address.indexOf(':') + 1));
    }

    /** The partitions that it leads, by the cluster's record. */
    Set<Integer> led() {
        Set<Integer> led = new HashSet<>();
        for (int partition = 0; partition < cluster.plan().partitions(); partition++) {
            if (cluster.recordOf(partition).primary().node().number() == node) {
                led.add(partition);
            }
        }
        return led;
    }

    /** The status of the answer; 0 if there is none. */
    private static int ask(int port, int millis) {
        try {
            HttpURLConnection connection = (HttpURLConnection) URI.create("http://127.0.0.1:" + port + "/health/ready")
                    .toURL()
                    .openConnection();
            connection.setConnectTimeout(millis);
            connection.setReadTimeout(millis);
            connection.setRequestProperty("Connection", "close");
            try {
                return connection.getResponseCode();
            } finally {
                connection.disconnect();
            }
        } catch (IOException silent) { // as a supervisor takes it, too
            return 0;
        }
    }
}
