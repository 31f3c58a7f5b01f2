package dev.fulmar.foundation.network.real;

import dev.fulmar.foundation.id.NodeId;

/**
 * Figures of the connection to one other node, for metrics: whether it is up, its traffic, and its last problem.
 *
 * @param isUp whether there is a session
 * @param sessions how many there have been
 * @param sentMessages in all sessions
 * @param receivedMessages in all sessions
 * @param waitingBytes that were not sent yet
 * @param problem why there is no session, or why the last one ended; empty if there is nothing to say
 */
public record LinkState(
        NodeId node,
        boolean isUp,
        long sessions,
        long sentMessages,
        long sentBytes,
        long receivedMessages,
        long receivedBytes,
        long waitingBytes,
        String problem) {}
