package dev.fulmar.foundation.failstop.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.failstop.FatalErrors;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ends a process when nothing else does. Instead of the end, these tests see the status. */
final class LastResortTest {
    /** What a pipe of Linux holds. */
    private static final int PIPE_BYTES = 64 * 1024;

    private static final Duration LONG = Duration.ofMinutes(10);

    @TempDir
    private Path directory;

    private final BlockingQueue<Integer> ends = new LinkedBlockingQueue<>();
    private Path words;

    @BeforeEach
    void place() {
        words = directory.resolve("words");
    }

    private LastResort lastResort(FileDescriptor descriptor, Duration closing) {
        LastResort handler = new LastResort(ends::add, descriptor, closing);
        handler.start();
        return handler;
    }

    @Test
    void anUncaughtThrowableEndsTheProcessAndSaysWhere() throws IOException, InterruptedException {
        try (FileOutputStream out = new FileOutputStream(words.toFile())) {
            LastResort handler = lastResort(out.getFD(), LONG);
            Thread thread = Thread.ofPlatform()
                    .name("site-7")
                    .uncaughtExceptionHandler(handler)
                    .start(() -> {
                        throw new NoClassDefFoundError("ch/qos/logback/Spi");
                    });
            thread.join();
        }

        assertThat(ends.poll(10, TimeUnit.SECONDS)).isEqualTo(70);
        assertThat(words)
                .content()
                .startsWith("fulmar: the process ends with status 70, for thread site-7 met"
                        + " java.lang.NoClassDefFoundError\n")
                .contains("ch/qos/logback/Spi", "LastResortTest");
    }

    @Test
    void theFirstDecisionStands() throws IOException {
        try (FileOutputStream out = new FileOutputStream(words.toFile())) {
            LastResort handler = lastResort(out.getFD(), LONG);
            handler.broken(74, new IllegalStateException("the device"));
            assertThat(ends).isEmpty();
            handler.uncaughtException(Thread.currentThread(), new OutOfMemoryError());
        }

        assertThat(ends.poll()).isEqualTo(74);
    }

    @Test
    void anErrorWithinACauseEndsAtOnce() throws IOException {
        try (FileOutputStream out = new FileOutputStream(words.toFile())) {
            lastResort(out.getFD(), LONG).broken(70, new IllegalStateException("site-0 broke", new OutOfMemoryError()));
        }

        assertThat(ends.poll()).isEqualTo(70);
    }

    @Test
    void aCloseThatTakesTooLongIsCutOff() throws IOException, InterruptedException {
        try (FileOutputStream out = new FileOutputStream(words.toFile())) {
            lastResort(out.getFD(), Duration.ofMillis(20)).broken(70, new IllegalStateException("a defect"));

            assertThat(ends.poll(10, TimeUnit.SECONDS)).isEqualTo(70);
        }
    }

    @Test
    void aWatchdogThatBreaksEndsTheProcessAndSaysSo() throws IOException, InterruptedException {
        AtomicInteger halts = new AtomicInteger();
        try (FileOutputStream out = new FileOutputStream(words.toFile())) {
            LastResort handler = new LastResort(
                    status -> {
                        if (halts.incrementAndGet() == 1) {
                            throw new NoClassDefFoundError("of a test");
                        }
                        ends.add(status);
                    },
                    out.getFD(),
                    Duration.ofMillis(20));
            handler.start();
            handler.broken(70, new IllegalStateException("a defect"));

            assertThat(ends.poll(10, TimeUnit.SECONDS)).isEqualTo(70);
        }
        assertThat(words)
                .content()
                .startsWith("fulmar: the process ends with status 70, for thread fulmar-last-resort met"
                        + " java.lang.NoClassDefFoundError\n");
    }

    @Test
    void theEndComesThoughNobodyCanWriteOfIt() throws IOException {
        FileDescriptor descriptor;
        try (FileOutputStream out = new FileOutputStream(words.toFile())) {
            descriptor = out.getFD();
        }
        lastResort(descriptor, LONG).uncaughtException(Thread.currentThread(), new OutOfMemoryError());

        assertThat(ends.poll()).isEqualTo(70);
    }

    @Test
    void theEndComesThoughWhatWasThrownThrows() throws IOException {
        try (FileOutputStream out = new FileOutputStream(words.toFile())) {
            lastResort(out.getFD(), LONG).uncaughtException(Thread.currentThread(), new Untellable());
        }

        assertThat(ends.poll()).isEqualTo(70);
        assertThat(words).content().contains("Untellable");
    }

    /** What prints its trace finds no memory. */
    private static final class Untellable extends OutOfMemoryError {
        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
            throw new OutOfMemoryError();
        }
    }

    @Test
    void theEndComesThoughTheReaderOfTheWordsSleeps() throws IOException, InterruptedException {
        Process mkfifo = new ProcessBuilder("mkfifo", words.toString()).start();
        assertThat(mkfifo.waitFor()).isZero();
        try (RandomAccessFile pipe = new RandomAccessFile(words.toFile(), "rw")) {
            pipe.write(new byte[PIPE_BYTES]);
            LastResort handler = lastResort(pipe.getFD(), LONG);
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> handler.uncaughtException(Thread.currentThread(), new OutOfMemoryError()));

            assertThat(ends.poll(20, TimeUnit.SECONDS)).isEqualTo(70);
            pipe.readFully(new byte[PIPE_BYTES]);
        }
    }

    @Test
    void othersAreToldOnceBeforeTheEnd() throws IOException {
        AtomicInteger told = new AtomicInteger();
        try (FileOutputStream out = new FileOutputStream(words.toFile())) {
            LastResort handler = lastResort(out.getFD(), LONG);
            handler.before(() -> {
                assertThat(ends).isEmpty();
                told.incrementAndGet();
            });
            handler.uncaughtException(Thread.currentThread(), new OutOfMemoryError());
            handler.uncaughtException(Thread.currentThread(), new OutOfMemoryError());
        }

        assertThat(told).hasValue(1);
        assertThat(ends).isNotEmpty();
    }

    @Test
    void theEndComesThoughTheLastWordsBreak() throws IOException {
        try (FileOutputStream out = new FileOutputStream(words.toFile())) {
            LastResort handler = lastResort(out.getFD(), LONG);
            handler.before(() -> {
                throw new NoClassDefFoundError("io/netty/Gone");
            });
            handler.uncaughtException(Thread.currentThread(), new OutOfMemoryError());
        }

        assertThat(ends.poll()).isEqualTo(70);
        assertThat(words).content().contains("OutOfMemoryError");
    }

    @Test
    void theEndComesThoughTheLastWordsTakeTooLong() throws IOException, InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        try (FileOutputStream out = new FileOutputStream(words.toFile())) {
            LastResort handler = lastResort(out.getFD(), LONG);
            handler.before(() -> {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> handler.uncaughtException(Thread.currentThread(), new OutOfMemoryError()));

            assertThat(ends.poll(20, TimeUnit.SECONDS)).isEqualTo(70);
        }
        never.countDown();
    }

    @Test
    void aLibrarysOwnHandlerOfItsThreadHidesNothing() throws InterruptedException {
        BlockingQueue<Throwable> seen = new LinkedBlockingQueue<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> seen.add(thrown));
        try {
            Thread thread = Thread.ofPlatform()
                    .uncaughtExceptionHandler((dead, thrown) -> FatalErrors.hand(thrown))
                    .start(() -> {
                        throw new OutOfMemoryError("of the test");
                    });
            thread.join();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }

        assertThat(seen.poll()).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void aThreadThatEndsByItselfIsNoticed() throws InterruptedException {
        BlockingQueue<Throwable> seen = new LinkedBlockingQueue<>();
        Thread thread = WatchedThreads.of(
                        body -> Thread.ofPlatform()
                                .uncaughtExceptionHandler((dead, thrown) -> seen.add(thrown))
                                .unstarted(body),
                        () -> false)
                .newThread(() -> {});
        thread.start();
        thread.join();

        assertThat(seen.poll()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aThreadThatWasToldToEndIsNoDefect() throws InterruptedException {
        BlockingQueue<Throwable> seen = new LinkedBlockingQueue<>();
        Thread thread = WatchedThreads.of(
                        body -> Thread.ofPlatform()
                                .uncaughtExceptionHandler((dead, thrown) -> seen.add(thrown))
                                .unstarted(body),
                        () -> true)
                .newThread(() -> {});
        thread.start();
        thread.join();

        assertThat(seen).isEmpty();
    }

    @Test
    void whatATimerThrewReachesTheHandler() throws InterruptedException {
        BlockingQueue<Throwable> seen = new LinkedBlockingQueue<>();
        try (WatchedTimers timers = new WatchedTimers(Thread.ofPlatform()
                .uncaughtExceptionHandler((thread, thrown) -> seen.add(thrown))
                .factory())) {
            var error = timers.submit(() -> {
                throw new StackOverflowError();
            });
            assertThat(seen.poll(10, TimeUnit.SECONDS)).isInstanceOf(StackOverflowError.class);
            assertThat(error.isDone()).isTrue();
            var asked = timers.submit(() -> {
                throw new IllegalStateException("told to who waits");
            });
            var repeated = timers.scheduleWithFixedDelay(
                    () -> {
                        throw new IllegalArgumentException("of a repeated task");
                    },
                    0,
                    1,
                    TimeUnit.MILLISECONDS);
            assertThat(seen.poll(10, TimeUnit.SECONDS)).isInstanceOf(IllegalArgumentException.class);
            assertThat(asked.exceptionNow()).hasMessage("told to who waits");
            assertThat(repeated.isDone()).isTrue();
        }
        assertThat(seen).isEmpty();
    }
}
