package dev.fulmar.benchmarks.drive;

import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.client.FulmarClient;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Load on a thread of its own, until it is ended. */
public final class RunningLoad implements AutoCloseable {
    private final LoadGenerator generator;
    private final FutureTask<LoadReport> task;

    private RunningLoad(LoadGenerator generator, List<RequestSource> sources, LoadListener listener) {
        this.generator = generator;
        task = new FutureTask<>(() -> generator.run(sources, listener));
    }

    /**
     * Begins the load.
     *
     * @param shape with more seconds than the load is to last
     * @param sources one for each stream
     */
    public static RunningLoad start(
            FulmarClient client, LoadShape shape, List<RequestSource> sources, LoadListener listener) {
        RunningLoad load = new RunningLoad(new LoadGenerator(client, shape), sources, listener);
        Thread.ofPlatform().daemon().name("load").start(load.task);
        return load;
    }

    /** Whether it has ended, by itself or by {@link #end}. */
    public boolean isDone() {
        return task.isDone();
    }

    /**
     * Sends no more, and returns once all requests have an answer.
     *
     * @throws IllegalStateException if the load broke
     */
    public LoadReport end() throws InterruptedException {
        generator.end();
        try {
            return task.get();
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
