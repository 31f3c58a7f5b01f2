package dev.fulmar.foundation.failstop.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class WatchedLoopsTest {
    private static final Duration INTERVAL = Duration.ofMillis(20);

    private final BlockingQueue<Throwable> ends = new LinkedBlockingQueue<>();
    private final WatchedLoops loops = new WatchedLoops("loop", INTERVAL, ends::add);
    private final CountDownLatch struck = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);

    @AfterEach
    void close() {
        loops.close();
    }

    /** As Curator does: an endless task, whose future is forgotten. */
    private Future<Void> begin(ExecutorService executor) {
        return executor.submit(() -> {
            struck.await();
            throw new OutOfMemoryError("of a test");
        });
    }

    @Test
    void anErrorThatStaysInAFutureEndsTheProcess() throws InterruptedException {
        try (ExecutorService executor = Executors.newSingleThreadExecutor(loops)) {
            Future<Void> forgotten = begin(executor);
            loops.watch();
            struck.countDown();
            assertThat(ends.poll(1, TimeUnit.MINUTES)).hasMessageContaining("loop-1");
            assertThat(forgotten.state()).isEqualTo(Future.State.FAILED);
        }
    }

    @Test
    void soDoesThatOfATimersThread() throws InterruptedException {
        try (ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(loops)) {
            Future<Void> forgotten = begin(executor);
            loops.watch();
            struck.countDown();
            assertThat(ends.poll(1, TimeUnit.MINUTES)).isNotNull();
            assertThat(forgotten.state()).isEqualTo(Future.State.FAILED);
        }
    }

    @Test
    void aThreadThatIsMadeLaterIsWatchedToo() throws InterruptedException {
        loops.watch();
        loops.newThread(() -> {}).start();
        assertThat(ends.poll(1, TimeUnit.MINUTES)).isNotNull();
    }

    @Test
    void aTaskThatWaitsIsLeftAlone() throws InterruptedException {
        try (ExecutorService executor = Executors.newSingleThreadExecutor(loops)) {
            Future<?> waiting = executor.submit(() -> never.await(1, TimeUnit.HOURS));
            loops.watch();
            assertThat(ends.poll(10 * INTERVAL.toMillis(), TimeUnit.MILLISECONDS))
                    .isNull();
            loops.close();
            assertThat(waiting.cancel(true)).isTrue();
        }
    }

    @Test
    void afterTheCloseTasksMayEnd() throws InterruptedException {
        try (ExecutorService executor = Executors.newSingleThreadExecutor(loops)) {
            Future<Void> forgotten = begin(executor);
            loops.watch();
            loops.close();
            struck.countDown();
            assertThat(ends.poll(10 * INTERVAL.toMillis(), TimeUnit.MILLISECONDS))
                    .isNull();
            assertThat(forgotten.state()).isEqualTo(Future.State.FAILED);
        }
    }
}
