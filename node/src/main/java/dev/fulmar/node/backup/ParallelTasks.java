package dev.fulmar.node.backup;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Runs tasks at once, each on a thread of its own. */
public final class ParallelTasks {
    private ParallelTasks() {}

    /** Returns when all have ended; throws what the first of them threw. */
    public static void run(List<Runnable> tasks) {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (Runnable task : tasks) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            ends.add(end);
            Thread.ofPlatform().daemon().name("fulmar-recovery-" + ends.size()).start(() -> {
                try {
                    task.run();
                    end.complete(null);
                } catch (RuntimeException | Error e) {
                    end.completeExceptionally(e);
                }
            });
        }
        try {
            CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
