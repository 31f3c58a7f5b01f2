package dev.fulmar.coordinator.replication;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Store, detector, leadership and replication together: what was acknowledged stays and is seen, whatever happens. */
class ReplicationSimulation {
    private static final int SEEDS = 30;

    @Test
    void nothingThatWasAcknowledgedIsLostOrUnseen() {
        long acknowledged = 0;
        long reads = 0;
        long terms = 0;
        long joined = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            ReplicatedCluster cluster = new ReplicatedCluster(seed);
            cluster.runWithFaults();
            cluster.heal();
            acknowledged += cluster.acknowledged();
            reads += cluster.reads();
            terms += cluster.terms();
            joined += cluster.joined();
        }
        assertThat(acknowledged).isGreaterThan(50L * SEEDS);
        assertThat(reads).isGreaterThan(5L * SEEDS);
        assertThat(terms).isGreaterThan(3L * SEEDS);
        assertThat(joined).isGreaterThan(2L * SEEDS);
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        ReplicatedCluster one = new ReplicatedCluster(7);
        ReplicatedCluster other = new ReplicatedCluster(7);
        one.runWithFaults();
        other.runWithFaults();
        assertThat(one.hash()).isEqualTo(other.hash());
    }
}
