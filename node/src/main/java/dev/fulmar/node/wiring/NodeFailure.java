package dev.fulmar.node.wiring;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.ExitStatus;
import dev.fulmar.foundation.failstop.ProcessEnd;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Why a node ends by itself, the first reason only. Thread-safe. */
final class NodeFailure {
    private static final Logger LOG = LoggerFactory.getLogger(NodeFailure.class);

    private final ProcessEnd processEnd;
    private final Runnable stop;
    private final AtomicReference<@Nullable FulmarException> cause = new AtomicReference<>();
    private volatile Runnable breakOff = () -> {};

    /** @param stop begins to close the node */
    NodeFailure(ProcessEnd processEnd, Runnable stop) {
        this.processEnd = processEnd;
        this.stop = stop;
    }

    /** Who hears that the node broke before it ends, clients last: what they wait for may be why, and is not to be sent to another node. */
    void tells(Runnable nodes, Runnable clients) {
        breakOff = () -> {
            nodes.run();
            clients.run();
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

    /** How the process ends. */
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
