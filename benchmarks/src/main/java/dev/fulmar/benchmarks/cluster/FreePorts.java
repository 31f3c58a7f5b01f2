package dev.fulmar.benchmarks.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for processes that have to know each other's before they start. They lie below those that the system chooses
 * by itself, so no other connection takes one meanwhile. Processes that run at once each have a part of them, by the
 * number in the property {@value #FORK}.
 */
public final class FreePorts {
    private static final String FORK = "fulmar.fork";
    private static final int FIRST = 10_000;
    private static final int PART = 4_000;
    private static final int PARTS = 5;
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(PART));

    private FreePorts() {}

    /** Ports of the loopback address at which no process listens. */
    public static List<Integer> take(int count) throws IOException {
        int first = FIRST + Integer.getInteger(FORK, 0) % PARTS * PART;
        List<Integer> ports = new ArrayList<>();
        for (int tried = 0; ports.size() < count; tried++) {
            if (tried == PART) {
                throw new IOException("there are not " + count + " free ports from " + first + " on");
            }
            int port = first + Math.floorMod(NEXT.getAndIncrement(), PART);
            if (isFree(port)) {
                ports.add(port);
            }
        }
        return ports;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
