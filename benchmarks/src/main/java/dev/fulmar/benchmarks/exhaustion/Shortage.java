package dev.fulmar.benchmarks.exhaustion;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Shortage of a resource of a node, for a while. Used once, by one thread. */
interface Shortage extends AutoCloseable {
    /** A node that met a defect, or had no memory or thread any more. */
    int BROKEN = 70;

    /** The thing that is short, with its amount. */
    String name();

    /** The reason for which this machine, or this user, cannot bring the shortage about; empty if it can. */
    Optional<String> obstacle();

    /** Options of the JVM of each node. */
    default List<String> javaOptions() {
        return List.of("-Xmx256m");
    }

    /** Settings of each node, by name. */
    default Map<String, String> settings() {
        return Map.of();
    }

    /** Exit statuses with which the node may end. */
    Set<Integer> statuses();

    /** Makes ready what nodes find at their start. Node 1 is the one that will be short of it. */
    void prepare(Path directory) throws IOException;

    /** Takes it from the node. */
    void begin(Victim victim) throws IOException;

    /** Makes the node want more of it; called again and again while it lasts. */
    void press(Victim victim) throws IOException;

    /** Whether the node has wanted more than it could have. */
    boolean isReached(Victim victim) throws IOException;

    /** Gives it back. */
    void end(Victim victim) throws IOException;

    /** Leaves nothing of it on the machine; all nodes have ended. */
    @Override
    void close() throws IOException;
}
