package dev.fulmar.node.wiring;

import dev.fulmar.foundation.time.Clock;
import dev.fulmar.foundation.time.real.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clocks of the system whose wall clock is wrong by the milliseconds in a file. It is for tests of a cluster with
 * clocks that jump.
 */
final class OffsetClock implements Clock {
    private static final Logger LOG = LoggerFactory.getLogger(OffsetClock.class);
    private static final long PERIOD_MILLIS = 1_000;
    private static final long MICROS_PER_MILLI = 1_000;

    private final Clock base = new SystemClock();
    private final Path file;
    private volatile long offsetMicros;

    private OffsetClock(Path file) {
        this.file = file;
    }

    /** The system's clocks, unless there is a file. */
    @SuppressWarnings("FutureReturnValueIgnored") // looking ends with its executor and catches what it throws
    static Clock of(String file, ScheduledExecutorService executor) {
        if (file.isEmpty()) {
            return new SystemClock();
        }
        OffsetClock clock = new OffsetClock(Path.of(file));
        executor.scheduleWithFixedDelay(clock::look, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        return clock;
    }

    private void look() {
        try {
            long next = Long.parseLong(Files.readString(file).strip()) * MICROS_PER_MILLI;
            if (next != offsetMicros) {
                LOG.warn("the wall clock is {} ms wrong from now on, as {} says", next / MICROS_PER_MILLI, file);
                offsetMicros = next;
            }
        } catch (NoSuchFileException absent) {
            offsetMicros = 0;
        } catch (IOException | NumberFormatException unreadable) {
            LOG.error("{} does not say how wrong the wall clock is to be", file, unreadable);
        }
    }

    @Override
    public long monotonicNanos() {
        return base.monotonicNanos();
    }

    @Override
    public long wallMicros() {
        return base.wallMicros() + offsetMicros;
    }
}
