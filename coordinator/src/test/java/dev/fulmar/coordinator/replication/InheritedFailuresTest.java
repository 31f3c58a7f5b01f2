package dev.fulmar.coordinator.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.id.NodeId;
import org.junit.jupiter.api.Test;

/** Failures that VoltDB, the nearest ancestor, had and mended; with the number of each there. */
class InheritedFailuresTest {
    private static final long SECOND_NANOS = 1_000_000_000;

    /**
     * ENG-10389: an isolated node answered reads from its own state, which had been overtaken elsewhere, or was to be
     * lost.
     */
    @Test
    void anIsolatedPrimaryAnswersNoReads() {
        ReplicatedCluster cluster = new ReplicatedCluster(1);
        cluster.world.runFor(3 * SECOND_NANOS);
        NodeId isolated = cluster.leader();
        assertThat(cluster.answersOf(isolated)).isPositive();
        cluster.isolate(isolated);
        // What is under way arrives, and what was confirmed before is answered.
        cluster.world.runFor(SECOND_NANOS / 50);
        long answered = cluster.answersOf(isolated);
        cluster.world.runFor(10 * SECOND_NANOS);
        assertThat(cluster.answersOf(isolated)).isEqualTo(answered);
        assertThat(cluster.leader()).isNotEqualTo(isolated);
        assertThat(cluster.answersOf(cluster.leader())).isPositive();
        cluster.heal();
    }

    /**
     * ENG-10453: between the suspicion of a peer and the verdict about the partition a minority went on to acknowledge,
     * and was ended then.
     */
    @Test
    void whoSuspectsAcknowledgesNothingBeforeTheVerdict() {
        ReplicatedCluster cluster = new ReplicatedCluster(2);
        cluster.world.runFor(3 * SECOND_NANOS);
        NodeId leader = cluster.leader();
        for (int node = 1; node <= 3; node++) {
            cluster.store.cut(new NodeId(node));
        }
        cluster.cutLinks(leader);
        cluster.world.runFor(SECOND_NANOS / 50);
        long acknowledged = cluster.acknowledged();
        cluster.world.runFor(10 * SECOND_NANOS);
        assertThat(cluster.acknowledged())
                .as("no verdict without the store, on neither side")
                .isEqualTo(acknowledged);
        cluster.heal();
    }
}
