package dev.fulmar.coordinator.durability.replica;

import static dev.fulmar.coordinator.durability.replica.ReplicaState.BROKEN;
import static dev.fulmar.coordinator.durability.replica.ReplicaState.DETACHED;
import static dev.fulmar.coordinator.durability.replica.ReplicaState.FOLLOWING;
import static dev.fulmar.coordinator.durability.replica.ReplicaState.JOINING;
import static dev.fulmar.coordinator.durability.replica.ReplicaState.PROMOTED;
import static dev.fulmar.coordinator.durability.replica.ReplicaState.RESOLVING;
import static dev.fulmar.coordinator.durability.replica.ReplicaState.SERVING;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The ways of a replica from state to state; any other is a defect. */
class ReplicaStateTest {
    private static final Map<ReplicaState, Set<ReplicaState>> WAYS = Map.of(
            DETACHED, Set.of(JOINING),
            JOINING, Set.of(FOLLOWING),
            FOLLOWING, Set.of(PROMOTED, BROKEN),
            PROMOTED, Set.of(RESOLVING, FOLLOWING, BROKEN),
            RESOLVING, Set.of(SERVING, FOLLOWING, BROKEN),
            SERVING, Set.of(FOLLOWING, BROKEN),
            BROKEN, Set.of(FOLLOWING));

    @Test
    void onlyTheseWaysAreOpen() {
        for (ReplicaState from : ReplicaState.values()) {
            assertThat(Arrays.stream(ReplicaState.values())
                            .filter(from::mayBecome)
                            .collect(Collectors.toSet()))
                    .as("ways from %s", from)
                    .isEqualTo(WAYS.get(from));
        }
    }

    @Test
    void aReplicaServesOnlyAfterItsInDoubtPartIsResolved() {
        assertThat(Arrays.stream(ReplicaState.values()).filter(from -> from.mayBecome(SERVING)))
                .containsExactly(RESOLVING);
        assertThat(Arrays.stream(ReplicaState.values()).filter(ReplicaState::answers))
                .isEqualTo(List.of(RESOLVING, SERVING));
    }
}
