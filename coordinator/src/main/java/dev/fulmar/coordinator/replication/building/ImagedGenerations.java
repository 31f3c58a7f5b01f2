package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.foundation.id.NodeId;
import java.util.Map;
import java.util.TreeMap;

/**
 * By node, the youngest generation ("life") of its copies that got an image. A copy never gets a second one, for the
 * chunks of two do not go together. For one thread.
 */
final class ImagedGenerations {
    private final Map<NodeId, Long> youngest = new TreeMap<>();

    /** Whether there was an image for the copy, or for a younger one of its node. */
    boolean has(CopyId copy) {
        return youngest.getOrDefault(copy.node(), Long.MIN_VALUE) >= copy.life();
    }

    /** There is one now. */
    void add(CopyId copy) {
        youngest.put(copy.node(), copy.life());
    }
}
