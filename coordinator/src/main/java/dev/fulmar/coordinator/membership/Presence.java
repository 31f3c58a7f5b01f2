package dev.fulmar.coordinator.membership;

import dev.fulmar.foundation.id.NodeId;

/**
 * A process that lives, as far as the store knows.
 *
 * @param incarnation of the process
 * @param address where other nodes reach it, {@code host:port}
 */
public record Presence(NodeId node, long incarnation, String address) {
    public Presence {
        if (incarnation < 1) {
            throw new IllegalArgumentException("incarnation " + incarnation + " of a process; the first is 1");
        }
        NodeRecord.checkAddress(address);
    }
}
