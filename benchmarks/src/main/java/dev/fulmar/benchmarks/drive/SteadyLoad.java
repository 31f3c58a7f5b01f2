package dev.fulmar.benchmarks.drive;

import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.client.CallHandler;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.FulmarException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Requests at a steady rate in an open loop without end. They are counted in windows that follow one another. A request
 * belongs to the window in which it is sent, however late it is answered; its time counts from when it was due.
 */
public final class SteadyLoad implements AutoCloseable {
    /** Shortest sleep of the thread that sends, so that it leaves the processor to the nodes of the same machine. */
    private static final long SHORTEST_SLEEP_NANOS = 200_000;

    private static final double NANOS_PER_SECOND = 1e9;

    private final FulmarClient client;
    private final LinkedBlockingQueue<RequestSource> free = new LinkedBlockingQueue<>();
    private final double intervalNanos;
    private final long beginNanos;
    private final Thread thread;
    private final Object turning = new Object();
    private OpenWindow window;
    private volatile boolean isEnded;

    private SteadyLoad(FulmarClient client, List<RequestSource> sources, double ratePerSecond) {
        this.client = client;
        free.addAll(sources);
        intervalNanos = NANOS_PER_SECOND / ratePerSecond;
        beginNanos = System.nanoTime();
        window = new OpenWindow(beginNanos);
        thread = Thread.ofPlatform().daemon().name("steady-load").unstarted(this::send);
    }

    /**
     * Begins to send.
     *
     * @param sources as many requests may wait for their answers; further ones are sent late, which counts
     */
    public static SteadyLoad start(FulmarClient client, List<RequestSource> sources, double ratePerSecond) {
        SteadyLoad load = new SteadyLoad(client, sources, ratePerSecond);
        load.thread.start();
        return load;
    }

    private void send() {
        try {
            for (long number = 1; !isEnded; number++) {
                long due = beginNanos + (long) (number * intervalNanos);
                long wait = due - System.nanoTime();
                if (wait > 0) {
                    LockSupport.parkNanos(Math.max(wait, SHORTEST_SLEEP_NANOS));
                }
                send(free.take(), due);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(RequestSource source, long due) {
        OpenWindow present;
        synchronized (turning) {
            present = window;
            present.offer();
        }
        Reply reply = new Reply(source, present, due);
        try {
            source.send(client, reply);
        } catch (FulmarException refused) {
            reply.failed(refused);
        }
    }

    /** Ends the window and begins another one. Returns when all requests of the former have their outcomes. */
    public LoadWindow turn(Duration patience) throws InterruptedException {
        OpenWindow former;
        synchronized (turning) {
            former = window;
            window = new OpenWindow(System.nanoTime());
        }
        try {
            return former.end(System.nanoTime()).get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new IllegalStateException("requests have no outcome after " + patience, e);
        }
    }

    @Override
    public void close() {
        isEnded = true;
        thread.interrupt();
    }

    private final class Reply implements CallHandler {
        private final RequestSource source;
        private final OpenWindow of;
        private final long dueNanos;

        Reply(RequestSource source, OpenWindow of, long dueNanos) {
            this.source = source;
            this.of = of;
            this.dueNanos = dueNanos;
        }

        @Override
        public void completed(CallResult result) {
            long latencyNanos = System.nanoTime() - dueNanos;
            source.committed(result);
            of.answered(dueNanos, latencyNanos, null);
            free.add(source);
        }

        @Override
        public void failed(FulmarException problem) {
            of.answered(dueNanos, System.nanoTime() - dueNanos, problem);
            free.add(source);
        }
    }
}
