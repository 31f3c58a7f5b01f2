package dev.fulmar.simulator.reconfiguration;

import dev.fulmar.benchmarks.drive.LoadGenerator;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.tpcc.TpccListener;
import dev.fulmar.benchmarks.tpcc.TpccWorkload;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.client.FulmarClient;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** TPC-C's mix at a steady rate on a thread of its own, until it is ended. */
final class RunningLoad implements AutoCloseable {
    private static final LoadShape SHAPE = new LoadShape(8, 4, 100, 0, 3_600);

    private final LoadGenerator generator;
    private final FutureTask<?> task;

    RunningLoad(FulmarClient client, TpccWorkload workload, TpccListener listener, long seed) {
        generator = new LoadGenerator(client, SHAPE);
        SplittableRandom random = new SplittableRandom(seed);
        List<RequestSource> sources = new ArrayList<>();
        for (int i = 0; i < SHAPE.streams(); i++) {
            sources.add(workload.requests(random.split(), listener));
        }
        task = new FutureTask<>(
                () -> generator.run(sources, (second, warmup, committed, aborted, failed, latency) -> {}));
        Thread.ofPlatform().daemon().name("load").start(task);
    }

    /** Sends no more, and returns once all requests have an answer. */
    void end() throws InterruptedException {
        generator.end();
        try {
            task.get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("the load broke", failed);
        }
    }

    /** Sends no more; requests without an answer end with their client. */
    @Override
    public void close() {
        generator.end();
    }
}
