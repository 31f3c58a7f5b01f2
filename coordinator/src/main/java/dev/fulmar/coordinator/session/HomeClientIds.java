package dev.fulmar.coordinator.session;

import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.routing.Spread;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Ids of clients whose transactions a partition of this node remembers, if it serves one. Then a COMMIT of several
 * partitions begins here, and its statements go to no other node first. When another node takes the partition over,
 * they are forwarded.
 */
final class HomeClientIds implements ClientIds {
    /** A node that serves one of 100 partitions finds an id nearly always. */
    private static final int MOST_DRAWS = 500;

    private final AtomicReference<Program> current;
    private final PartitionHomes homes;

    HomeClientIds(AtomicReference<Program> current, PartitionHomes homes) {
        this.current = current;
        this.homes = homes;
    }

    @Override
    public long of(LongSupplier drawn) {
        int partitions = current.get().plan().partitionCount();
        long id = drawn.getAsLong();
        if (IntStream.range(0, partitions).noneMatch(homes::isHere)) {
            return id;
        }
        for (int i = 1; i < MOST_DRAWS && !homes.isHere(Spread.partition(id, partitions)); i++) {
            id = drawn.getAsLong();
        }
        return id;
    }
}
