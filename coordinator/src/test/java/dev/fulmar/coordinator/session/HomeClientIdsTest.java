package dev.fulmar.coordinator.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.routing.Route;
import dev.fulmar.coordinator.routing.Spread;
import dev.fulmar.engine.partitioning.PartitionPlan;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class HomeClientIdsTest {
    private static final int PARTITIONS = 100;

    private final Random random = new Random(9);

    /** A node that serves these partitions. */
    private record Serving(Set<Integer> partitions) implements PartitionHomes {
        @Override
        public Route route(int partition) {
            return partitions.contains(partition) ? Route.LOCAL : Route.COPY;
        }

        @Override
        public void pass(int partition, TransactionRequest request, ResponseSink sink) {
            throw new IllegalStateException("an id is chosen without requests");
        }
    }

    private long id(Set<Integer> served) {
        Program program = Program.empty(PartitionPlan.hash(PARTITIONS));
        return new HomeClientIds(new AtomicReference<>(program), new Serving(served)).of(random::nextLong);
    }

    @Test
    void aPartitionOfTheNodeRemembersTheClient() {
        Set<Integer> served = Set.of(17, 80, 81);
        for (int client = 0; client < 100; client++) {
            assertThat(Spread.partition(id(served), PARTITIONS)).isIn(served);
        }
    }

    @Test
    void aNodeWithoutPartitionsGivesIdsToo() {
        assertThat(id(Set.of())).isNotEqualTo(id(Set.of()));
    }
}
