package dev.fulmar.node.server;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.limit.WireLimits;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of the server.
 *
 * @param address where to listen; port 0 lets the system choose
 * @param eventLoopThreads threads that read and write all connections
 * @param maxConnections connections at the same time
 * @param maxQueued requests that were taken and not answered, over all connections
 * @param limits what one connection may send
 * @param helloTimeout how long a new connection may stay silent
 * @param preferNative whether to use the operating system's own event interface where there is one
 * @param stallTimeout how long a client may take nothing of its replies, or send nothing more of a large request,
 *     before it is cut off
 * @param administration where to listen for administrators, who then are administrators nowhere else; empty for the
 *     same address
 */
public record ServerConfiguration(
        HostAddress address,
        int eventLoopThreads,
        int maxConnections,
        int maxQueued,
        WireLimits limits,
        Duration helloTimeout,
        boolean preferNative,
        Duration stallTimeout,
        Optional<HostAddress> administration) {
    private static final Duration STALL_TIMEOUT = Duration.ofSeconds(30);

    /** Administrators come to the same address as everybody. */
    public ServerConfiguration(
            HostAddress address,
            int eventLoopThreads,
            int maxConnections,
            int maxQueued,
            WireLimits limits,
            Duration helloTimeout,
            boolean preferNative) {
        this(
                address,
                eventLoopThreads,
                maxConnections,
                maxQueued,
                limits,
                helloTimeout,
                preferNative,
                Optional.empty());
    }

    /** With the usual time for clients that stall. */
    public ServerConfiguration(
            HostAddress address,
            int eventLoopThreads,
            int maxConnections,
            int maxQueued,
            WireLimits limits,
            Duration helloTimeout,
            boolean preferNative,
            Optional<HostAddress> administration) {
        this(
                address,
                eventLoopThreads,
                maxConnections,
                maxQueued,
                limits,
                helloTimeout,
                preferNative,
                STALL_TIMEOUT,
                administration);
    }

    public ServerConfiguration {
        require(eventLoopThreads >= 1, "event loop threads", eventLoopThreads);
        require(maxConnections >= 1, "connections", maxConnections);
        require(maxQueued >= 1, "queued requests", maxQueued);
        require(stallTimeout.isPositive(), "time for clients that stall", stallTimeout);
        require(helloTimeout.isPositive(), "time for the first message", helloTimeout);
    }

    private static void require(boolean holds, String what, Object value) {
        if (!holds) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the number of " + what + " cannot be " + value + "; choose 1 or more");
        }
    }
}
