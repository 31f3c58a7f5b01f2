package dev.fulmar.node.wiring;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.ExitStatus;
import dev.fulmar.foundation.failstop.ProcessEnd;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The reason for which a node ends by itself; only the first one counts. Thread-safe. */
final class NodeFailure {
    private static final Logger LOG = LoggerFactory.getLogger(NodeFailure.class);

    /** Time for links to send what they were given; a node without clients would end before. */
    private static final long LINKS_NANOS = 50_000_000;

    private final ProcessEnd processEnd;
    private final Runnable stop;
    private final AtomicReference<@Nullable FulmarException> cause = new AtomicReference<>();
    private volatile Runnable breakOff = () -> {};

    /** @param stop begins to close the node */
    NodeFailure(ProcessEnd processEnd, Runnable stop) {
        this.processEnd = processEnd;
        this.stop = stop;
    }

    /**
     * Notifies other nodes and clients that the node broke, before it ends. A request on which they wait may be the
     * reason, and must not be sent to another node.
     *
     * @param nodes hands a message to each link, whose event loop sends it a moment later
     * @param clients returns once the connections are closed, or after a time-out
     */
    void tells(Runnable nodes, Runnable clients) {
        breakOff = () -> {
            long begun = System.nanoTime();
            nodes.run();
            clients.run();
            while (System.nanoTime() - begun < LINKS_NANOS) {
                LockSupport.parkNanos(LINKS_NANOS);
            }
        };
        processEnd.before(breakOff);
    }

    @Nullable FulmarException get() {
        return cause.get();
    }

    /** Ends the node. The end, and what it says by its status, is decided before anything that may fail is tried. */
    void end(String what, FulmarException reason) {
        if (reason.code() == ErrorCode.NODE_STOPPING || !cause.compareAndSet(null, reason)) {
            return;
        }
        ExitStatus status = exitStatus(false);
        if (status != ExitStatus.NOT_TAKEN) {
            processEnd.broken(status.number(), reason);
        }
        try {
            if (status == ExitStatus.BROKEN) {
                breakOff.run();
            }
        } finally {
            stop(what, reason);
        }
    }

    private void stop(String what, FulmarException reason) {
        try {
            stop.run();
        } finally {
            LOG.error("{} and the node stops: {}", what, reason.getMessage(), reason);
        }
    }

    /** Exit status of the process. */
    ExitStatus exitStatus(boolean isToRestart) {
        FulmarException known = cause.get();
        if (known == null) {
            return isToRestart ? ExitStatus.TO_RESTART : ExitStatus.STOPPED;
        }
        return switch (known.code()) {
            case INVALID_CONFIGURATION -> ExitStatus.NOT_TAKEN;
            case STORAGE_FAILURE, DISK_FULL -> ExitStatus.DEVICE_FAILED;
            default -> ExitStatus.BROKEN;
        };
    }
}
