package dev.fulmar.benchmarks.versions;

import dev.fulmar.benchmarks.peers.PeersWorkload;
import dev.fulmar.benchmarks.peers.TpccLiteDraw;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.data.ParameterWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.function.ToDoubleFunction;

/**
 * The processor time of calls that are put straight into a node of this process, with one partition and without
 * durability. A class loader of another build may define it too, so it knows only what earlier builds have, and what
 * {@link OtherBuild} brings along. For one
 * thread.
 */
public final class CallCost implements ToDoubleFunction<String>, AutoCloseable {
    private static final int AT_ONCE = 256;
    private static final long CLIENT = 42;
    private static final long SLICE_NANOS = 40_000_000;
    private static final int KEYS = 100_000;
    private static final int MAX_PARAMETERS = 1024;
    private static final byte[] NEW_VALUE = new byte[100];

    private final LocalDatabase database;
    private final long[] threads;
    private final long[] threadNanos;
    private final ThreadMXBean times = ManagementFactory.getThreadMXBean();
    private final ParameterWriter writer = new ParameterWriter(MAX_PARAMETERS, Integer.MAX_VALUE);
    private final SplittableRandom random = new SplittableRandom(1);
    private final TpccLiteDraw draw = new TpccLiteDraw(random);
    private final Semaphore answered = new Semaphore(0);
    private long requests;

    static {
        Arrays.fill(NEW_VALUE, (byte) 'v');
    }

    /** Starts a node and fills the tables. */
    public CallCost() {
        Set<Long> before = new HashSet<>();
        for (long thread : times.getAllThreadIds()) {
            before.add(thread);
        }
        database = LocalDatabase.start(
                Map.of("partitions", "1", "sites", "1", "jmx", "false", "procedures.time-budget", "1m"));
        try (FulmarClient client = database.connect(AT_ONCE)) {
            PeersWorkload workload = new PeersWorkload(PeersWorkload.Kind.TPCC);
            new BenchmarkRun(client, workload, Workload.Progress.silent()).prepare();
        }
        threads = Arrays.stream(times.getAllThreadIds())
                .filter(thread -> !before.contains(thread))
                .toArray();
        threadNanos = new long[threads.length];
    }

    /**
     * Executes calls for 40 milliseconds.
     *
     * @param kind the name of a {@link PeersWorkload.Kind}
     * @return nanoseconds of processor time of the node's threads, for each call
     */
    @Override
    public double applyAsDouble(String kind) {
        PeersWorkload.Kind calls = PeersWorkload.Kind.valueOf(kind);
        long endNanos = System.nanoTime() + SLICE_NANOS;
        long before = processorNanos();
        long done = 0;
        while (System.nanoTime() - endNanos < 0) {
            Answers sink = new Answers();
            for (int i = 0; i < AT_ONCE; i++) {
                database.database().submit(next(calls), sink);
            }
            answered.acquireUninterruptibly();
            String problem = sink.failure;
            if (!problem.isEmpty()) {
                throw new IllegalStateException("a call failed: " + problem);
            }
            done += AT_ONCE;
        }
        return (processorNanos() - before) / (double) done;
    }

    private TransactionRequest next(PeersWorkload.Kind kind) {
        return switch (kind) {
            case GET -> {
                writer.begin().add(random.nextLong(KEYS));
                yield call("GetRow");
            }
            case UPDATE -> {
                writer.begin().add(random.nextLong(KEYS));
                writer.addUtf8(NEW_VALUE, 0, NEW_VALUE.length);
                yield call("UpdateRow");
            }
            case TPCC -> {
                draw.next();
                byte[] parameters = draw.parameters(writer);
                yield new TransactionRequest.Call(CLIENT, ++requests, 0, draw.procedure(), parameters);
            }
        };
    }

    private TransactionRequest call(String procedure) {
        byte[] parameters = Arrays.copyOf(writer.array(), writer.end());
        return new TransactionRequest.Call(CLIENT, ++requests, 0, procedure, parameters);
    }

    /** Never less than before: a thread that has ended keeps the time that it had. */
    private long processorNanos() {
        long sum = 0;
        for (int i = 0; i < threads.length; i++) {
            threadNanos[i] = Math.max(threadNanos[i], times.getThreadCpuTime(threads[i])); // -1 once it has ended
            sum += threadNanos[i];
        }
        return sum;
    }

    @Override
    public void close() {
        database.close();
    }

    /** Answers to calls that were sent together. The one site's thread writes, and the caller reads after it. */
    private final class Answers implements ResponseSink {
        private int left = AT_ONCE;
        private String failure = "";

        @Override
        public void respond(TransactionRequest request, TransactionResponse response) {
            if (response instanceof TransactionResponse.Failed failed) {
                failure = failed.message();
            }
            if (--left == 0) {
                answered.release();
            }
        }
    }
}
