package dev.fulmar.node.lifecycle;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import dev.fulmar.foundation.failstop.FatalErrors;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Ends the process when a library only logs an error that should have ended it. Netty, ZooKeeper and Curator catch
 * every {@link Throwable} on their threads and only log it. Some log that one of their threads is dead: the log is the
 * one place to learn of it. Thread-safe.
 */
public final class LoggedErrors extends TurboFilter {
    /**
     * Loggers that report the end of a library's thread: a line at level WARN or above, with a throwable, means a dead
     * thread.
     */
    private static final Set<String> OF_DEAD_THREADS = Set.of(
            "org.apache.zookeeper.server.ZooKeeperThread",
            "org.apache.zookeeper.server.ZooKeeperCriticalThread",
            "org.apache.curator.utils.ThreadUtils",
            "io.netty.util.concurrent.SingleThreadEventExecutor",
            "io.netty.util.concurrent.GlobalEventExecutor");

    private static final String OF_NETTY = "io.netty.";

    private LoggedErrors() {}

    /** Begins to look at what this process logs; nothing where it logs by other means. */
    public static void watch() {
        ILoggerFactory factory = LoggerFactory.getILoggerFactory();
        if (factory instanceof LoggerContext context) {
            LoggedErrors filter = new LoggedErrors();
            filter.setContext(context);
            filter.start();
            context.addTurboFilter(filter);
        }
    }

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] parameters,
            @Nullable Throwable thrown) {
        if (level.levelInt >= Level.WARN_INT) {
            Throwable told = thrown != null ? thrown : last(parameters);
            if (told != null && isDeadly(logger.getName(), told)) {
                FatalErrors.hand(told);
            }
        }
        return FilterReply.NEUTRAL;
    }

    private static @Nullable Throwable last(Object @Nullable [] parameters) {
        return parameters != null
                        && parameters.length > 0
                        && parameters[parameters.length - 1] instanceof Throwable thrown
                ? thrown
                : null;
    }

    static boolean isDeadly(String logger, Throwable told) {
        return FatalErrors.isFatal(told)
                || (told instanceof Error && logger.startsWith(OF_NETTY))
                || OF_DEAD_THREADS.contains(logger);
    }
}
