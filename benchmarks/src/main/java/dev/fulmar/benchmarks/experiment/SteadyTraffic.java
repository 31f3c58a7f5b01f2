package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.client.CallHandler;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Requests at a steady rate, each due at its time, independent of earlier answers. What takes long, counted from when
 * it was due, is noted as a pause; every error but those that a workload means is noted too.
 */
final class SteadyTraffic {
    private static final long NOTED_NANOS = 5_000_000;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long MOST_WAIT_SECONDS = 60;

    private final String name;
    private final FulmarClient client;
    private final LinkedBlockingQueue<RequestSource> free = new LinkedBlockingQueue<>();
    private final int streams;
    private final long gapNanos;
    private final Thread thread;
    private final AtomicLong completed = new AtomicLong();
    private final ConcurrentLinkedQueue<CollectorLog.Pause> pauses = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
    private volatile boolean ended;

    private SteadyTraffic(String name, FulmarClient client, List<RequestSource> sources, int ratePerSecond) {
        this.name = name;
        this.client = client;
        free.addAll(sources);
        streams = sources.size();
        gapNanos = NANOS_PER_SECOND / ratePerSecond;
        thread = Thread.ofPlatform().daemon().name("traffic-" + name).unstarted(this::send);
    }

    /** @param sources as many requests may be open at a time */
    static SteadyTraffic start(String name, FulmarClient client, List<RequestSource> sources, int ratePerSecond) {
        SteadyTraffic traffic = new SteadyTraffic(name, client, sources, ratePerSecond);
        traffic.thread.start();
        return traffic;
    }

    private void send() {
        long due = System.nanoTime();
        try {
            while (!ended) {
                due += gapNanos;
                long wait = due - System.nanoTime();
                if (wait > 0) {
                    LockSupport.parkNanos(wait);
                }
                RequestSource source = free.take();
                source.send(client, new Reply(source, due));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    String name() {
        return name;
    }

    long completed() {
        return completed.get();
    }

    /** Requests that took long, as times from when they were due to the reply. */
    List<CollectorLog.Pause> pauses() {
        return new ArrayList<>(pauses);
    }

    /** Errors that no client of the workload expects. */
    List<String> errors() {
        return new ArrayList<>(errors);
    }

    /** Ends the traffic after the last reply. */
    void finish() throws InterruptedException {
        ended = true;
        thread.join();
        List<RequestSource> back = new ArrayList<>();
        for (int i = 0; i < streams; i++) {
            RequestSource source = free.poll(MOST_WAIT_SECONDS, TimeUnit.SECONDS);
            if (source == null) {
                throw new IllegalStateException("a request of " + name + " has no reply");
            }
            back.add(source);
        }
        free.addAll(back);
    }

    private final class Reply implements CallHandler {
        private final RequestSource source;
        private final long dueNanos;

        Reply(RequestSource source, long dueNanos) {
            this.source = source;
            this.dueNanos = dueNanos;
        }

        @Override
        public void completed(CallResult result) {
            source.committed(result);
            end();
        }

        @Override
        public void failed(FulmarException problem) {
            if (problem.code() != ErrorCode.USER_ABORT) {
                errors.add(problem.code() + " " + problem.getMessage());
            }
            end();
        }

        private void end() {
            long nanos = System.nanoTime() - dueNanos;
            if (nanos >= NOTED_NANOS) {
                pauses.add(new CollectorLog.Pause(dueNanos, nanos));
            }
            completed.incrementAndGet();
            free.add(source);
        }
    }
}
