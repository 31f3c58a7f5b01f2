package dev.fulmar.client;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.address.HostAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a client, checked once.
 *
 * @param hosts nodes of one database; calls are spread over those that answer
 * @param connectionsPerHost connections to each of them
 * @param eventLoopThreads threads that read and write all connections
 * @param maxOutstanding calls that wait for their outcome at the same time, over all connections
 * @param waitsWhenFull whether the caller of one more waits for room; else it fails
 * @param callTimeout how long a call may take, waiting included
 * @param connectTimeout how long to wait for the first connection, and for each attempt
 * @param repeatUnanswered whether calls that a broken connection left without answer are repeated, which is safe: the
 *     server recognises them
 * @param directRoute whether to connect to all nodes of a cluster and send each call to the one that serves it
 * @param name for people: shown in the server's logs and JMX
 * @param credentials of the user; null for a server that asks for none
 * @param tls how connections are encrypted; null if they are not
 */
record ClientConfiguration(
        List<HostAddress> hosts,
        int connectionsPerHost,
        int eventLoopThreads,
        int maxOutstanding,
        boolean waitsWhenFull,
        Duration callTimeout,
        Duration connectTimeout,
        boolean repeatUnanswered,
        boolean directRoute,
        String name,
        @Nullable ClientCredentials credentials,
        @Nullable ClientTls tls) {
    private static final int MAX_NAME_LENGTH = 200;

    ClientConfiguration {
        hosts = List.copyOf(hosts);
        require(!hosts.isEmpty(), "hosts", "none", "at least one");
        require(connectionsPerHost >= 1, "connectionsPerHost", connectionsPerHost, "1 or more");
        require(eventLoopThreads >= 1, "eventLoopThreads", eventLoopThreads, "1 or more");
        require(maxOutstanding >= 1, "maxOutstanding", maxOutstanding, "1 or more");
        checkTimeout("callTimeout", callTimeout);
        checkTimeout("connectTimeout", connectTimeout);
        require(name.length() <= MAX_NAME_LENGTH, "name", name.length() + " characters", "at most " + MAX_NAME_LENGTH);
    }

    static void checkTimeout(String setting, Duration timeout) {
        boolean holds = timeout.compareTo(Duration.ofMillis(1)) >= 0
                && timeout.compareTo(Duration.ofMillis(Integer.MAX_VALUE)) <= 0;
        require(holds, setting, timeout, "from 1 ms to 24 days");
    }

    private static void require(boolean holds, String setting, Object value, String range) {
        if (!holds) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the client's setting " + setting + " cannot be " + value + "; choose " + range);
        }
    }
}
