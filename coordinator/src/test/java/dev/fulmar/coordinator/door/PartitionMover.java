package dev.fulmar.coordinator.door;

import dev.fulmar.engine.spi.SitePlacement;
import dev.fulmar.foundation.id.PartitionId;
import java.util.concurrent.CompletableFuture;

/** Moves partitions from site to site. */
public record PartitionMover(SitePlacement placement) {
    /** Moves the partition to the next site; done when that runs it. */
    public CompletableFuture<Void> moveOn(PartitionId partition) {
        CompletableFuture<Void> moved = new CompletableFuture<>();
        int next = (placement.siteOf(partition) + 1) % placement.siteCount();
        placement.move(partition, next, () -> moved.complete(null));
        return moved;
    }
}
