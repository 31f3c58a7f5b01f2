package dev.fulmar.client;

import dev.fulmar.wire.address.HostAddress;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The order in which a connection tries the nodes of its cluster, with pauses. It begins with the preferred node and
 * tries each other one at once. After a pause, which grows, it begins again. On the connection's event loop.
 */
final class ReconnectSchedule {
    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final long LAST_PAUSE_MILLIS = 2_000;
    private static final long FIRST_HOMECOMING_MILLIS = 2_000;
    private static final long LAST_HOMECOMING_MILLIS = 60_000;

    private final HostAddress home;
    private final KnownCluster cluster;

    /** The node to try next, by the distance from the preferred one. */
    private int nextNode;

    private long pauseMillis = FIRST_PAUSE_MILLIS;
    private long homecomingMillis = FIRST_HOMECOMING_MILLIS;

    /** @param home the preferred node */
    ReconnectSchedule(HostAddress home, KnownCluster cluster) {
        this.home = home;
        this.cluster = cluster;
    }

    /** The address to try now. */
    HostAddress next() {
        List<HostAddress> nodes = cluster.from(home);
        HostAddress target = nodes.get(nextNode < nodes.size() ? nextNode : 0);
        nextNode++;
        return target;
    }

    /** Whether a node is left that is tried at once; else the next round begins after {@link #pauseMillis}. */
    boolean hasNextInRound() {
        boolean has = nextNode > 0 && nextNode < cluster.from(home).size();
        if (!has) {
            nextNode = 0;
        }
        return has;
    }

    /** The time until the next round; each is longer, up to a bound, and drawn so that clients do not come together. */
    long pauseMillis() {
        long jitterMillis = ThreadLocalRandom.current().nextLong(pauseMillis + 1);
        long pause = (pauseMillis + jitterMillis) / 2;
        pauseMillis = Math.min(LAST_PAUSE_MILLIS, 2 * pauseMillis);
        return pause;
    }

    /** Trying again soon would come to the same. */
    void slowDown() {
        pauseMillis = LAST_PAUSE_MILLIS;
    }

    void connectedAtHome() {
        connected();
        homecomingMillis = FIRST_HOMECOMING_MILLIS;
    }

    /** Returns the time after which the connection looks whether its preferred node is back. */
    long connectedElsewhere() {
        connected();
        long millis = homecomingMillis;
        homecomingMillis = Math.min(LAST_HOMECOMING_MILLIS, 2 * millis);
        return millis;
    }

    private void connected() {
        nextNode = 0;
        pauseMillis = FIRST_PAUSE_MILLIS;
    }

    /** The connection was lost to go home. */
    void returns() {
        nextNode = 0;
    }

    /** The connection to this address was lost: the node behind it is next. */
    void lost(HostAddress address) {
        nextNode = 1 + cluster.from(home).indexOf(address);
    }
}
