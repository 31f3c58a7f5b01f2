package dev.fulmar.benchmarks.logflood;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients without rights: they send garbage to every port in turn, and log-ins that fail. Each has a thread of its own,
 * for the answer to a failed log-in waits for seconds. To be used by one thread.
 */
final class Strangers {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int ANSWER_MILLIS = 500;
    private static final int ANSWER_BYTES = 4_096;
    private static final Duration LOGIN_PATIENCE = Duration.ofSeconds(20);
    private static final Garbage[] KINDS = Garbage.values();

    /** Of so many connections one is a log-in. */
    private static final int LOGIN_EVERY = KINDS.length + 1;

    private final List<Integer> ports;
    private final List<String> clientAddresses;
    private final SplittableRandom random;
    private final SortedMap<String, Integer> opened = new ConcurrentSkipListMap<>();
    private final SortedMap<String, Integer> failed = new ConcurrentSkipListMap<>();

    /**
     * @param ports that get garbage: each at which a node listens
     * @param clientAddresses where log-ins are tried
     */
    Strangers(List<Integer> ports, List<String> clientAddresses, SplittableRandom random) {
        this.ports = List.copyOf(ports);
        this.clientAddresses = List.copyOf(clientAddresses);
        this.random = random;
    }

    /** Opens so many connections at an even pace over the time; returns when all have ended. */
    void come(int connections, Duration time) {
        long begin = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < connections; i++) {
                long due = begin + time.toNanos() / connections * i;
                while (due - System.nanoTime() > 0) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                threads.execute(stranger(i));
            }
        }
    }

    private Runnable stranger(int number) {
        int round = number / LOGIN_EVERY;
        int turn = number % LOGIN_EVERY;
        if (turn == KINDS.length) {
            return () -> logIn(clientAddresses.get(round % clientAddresses.size()));
        }
        byte[] bytes = KINDS[turn].bytes(random);
        return () -> send(KINDS[turn], bytes, ports.get(round % ports.size()));
    }

    private void send(Garbage garbage, byte[] bytes, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            opened.merge(garbage.name(), 1, Integer::sum);
            talk(socket, bytes);
        } catch (IOException refused) {
            failed.merge(garbage + " at " + port + ": " + refused.getMessage(), 1, Integer::sum);
        }
    }

    /** Sends, and takes what comes, so that the node meets the bytes and not a reset. */
    private static void talk(Socket socket, byte[] bytes) {
        try {
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
            out.flush();
            if (bytes.length > 0) {
                socket.setSoTimeout(ANSWER_MILLIS);
                socket.shutdownOutput();
                InputStream in = socket.getInputStream();
                in.readNBytes(ANSWER_BYTES);
            }
        } catch (IOException ended) {
            // The node may end such a connection whenever it likes.
        }
    }

    private void logIn(String address) {
        try (FulmarClient client = FulmarClient.builder()
                .hosts(address)
                .user("stranger", "a guess")
                .connectTimeout(LOGIN_PATIENCE)
                .callTimeout(LOGIN_PATIENCE)
                .connect()) {
            client.execute("SELECT 1 FROM COUNTER");
            failed.merge("a stranger got in", 1, Integer::sum);
        } catch (FulmarException refused) {
            if (refused.code() == ErrorCode.AUTHENTICATION_FAILED) {
                opened.merge("LOGIN", 1, Integer::sum);
            } else {
                failed.merge("LOGIN: " + refused.code() + " " + refused.getMessage(), 1, Integer::sum);
            }
        }
    }

    /** Connections that were opened, by kind. */
    SortedMap<String, Integer> opened() {
        return Collections.unmodifiableSortedMap(opened);
    }

    /** Those that were not, or did not end as they must, by reason. */
    SortedMap<String, Integer> failed() {
        return Collections.unmodifiableSortedMap(failed);
    }
}
