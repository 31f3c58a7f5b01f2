package dev.fulmar.benchmarks.idle;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.workload.PipelinedCalls;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.data.ParameterWriter;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Whole calls in a database that has never had a reconfiguration, and in one in which keys have moved and come back. A
 * call updates one row by its key, through inbox, executor and undo log. The second database has further buckets.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(3)
public class CallAfterMovesBenchmark {
    private static final int KEYS = 100_000;
    private static final int CALLS = 512;
    private static final long CLIENT = 42;
    private static final long POLL_MILLIS = 10;

    /** Whether keys have moved. */
    @Param({"false", "true"})
    private boolean hasMoved;

    private final Semaphore answered = new Semaphore(0);
    private final ParameterWriter writer = new ParameterWriter(64, Integer.MAX_VALUE);
    private final LocalDatabase database = LocalDatabase.start(
            Map.of("partitions", "1", "partitions.spare", "1", "partitioning", "range:0", "sites", "1"));
    private long requests;
    private long state = 1;

    /** Fills the table, and moves half of it to the spare partition and back. */
    @Setup
    public void fill() throws InterruptedException {
        try (FulmarClient client = database.connect(CALLS)) {
            client.execute("CREATE TABLE t (k BIGINT NOT NULL, v BIGINT NOT NULL, PRIMARY KEY (k))");
            client.execute("PARTITION TABLE t ON COLUMN k");
            client.execute(
                    "CREATE PROCEDURE ADD_ONE PARTITION ON TABLE t COLUMN k AS UPDATE t SET v = v + 1 WHERE k = ?");
            PipelinedCalls calls = new PipelinedCalls(client, CALLS);
            for (long key = 0; key < KEYS; key++) {
                calls.call("t.insert", key, 0L);
            }
            calls.drain();
            if (hasMoved) {
                move(client, "{'plan': {'*': {'Partition 0': '[-50000)', 'Partition 1': '[50000-)'}}}");
                move(client, "{'plan': {'*': {'Partition 0': '[-)'}}}");
            }
        }
    }

    private static void move(FulmarClient client, String plan) throws InterruptedException {
        String begun = plan.replace('\'', '"');
        ResultTable status = client.call("@Reconfigure", "START", begun).table().first();
        while ("RUNNING".equals(status.getString(status.column("STATE")))) {
            Thread.sleep(POLL_MILLIS);
            status = client.call("@Reconfigure", "STATUS").table().first();
        }
        if (!"DONE".equals(status.getString(status.column("STATE")))) {
            throw new IllegalStateException("keys did not move: " + status.getString(status.column("MESSAGE")));
        }
    }

    /** Ends the database. */
    @TearDown
    public void end() {
        database.close();
    }

    /** Sends as many calls at once as a busy partition has waiting, and takes their answers. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public void call() throws InterruptedException {
        Answers sink = new Answers();
        for (int i = 0; i < CALLS; i++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
            writer.begin().add((state >>> 1) % KEYS);
            byte[] parameters = Arrays.copyOf(writer.array(), writer.end());
            database.database().submit(new TransactionRequest.Call(CLIENT, ++requests, 0, "ADD_ONE", parameters), sink);
        }
        answered.acquire();
    }

    private final class Answers implements ResponseSink {
        private int left = CALLS;

        /** On the one site's thread. */
        @Override
        public void respond(TransactionRequest request, TransactionResponse response) {
            if (response instanceof TransactionResponse.Failed failed) {
                throw new IllegalStateException("a call failed: " + failed.message());
            }
            if (--left == 0) {
                answered.release();
            }
        }
    }

    /** Runs both, and counts allocations. */
    public static void main(String[] arguments) throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(CallAfterMovesBenchmark.class.getName())
                        .addProfiler(GCProfiler.class)
                        .build())
                .run();
    }
}
