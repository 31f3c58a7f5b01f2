package dev.fulmar.coordinator.membership.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Detector, leadership and store together, around a log as simple as a log can be: what was acknowledged stays. */
class LeadershipSimulation {
    private static final int SEEDS = 30;

    @Test
    void nothingThatWasAcknowledgedIsLost() {
        long acknowledged = 0;
        long terms = 0;
        long joined = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            ToyCluster cluster = new ToyCluster(seed);
            cluster.runWithFaults();
            cluster.heal();
            acknowledged += cluster.acknowledged();
            terms += cluster.terms();
            joined += cluster.joined();
        }
        assertThat(acknowledged).isGreaterThan(100L * SEEDS);
        assertThat(terms).isGreaterThan(3L * SEEDS);
        assertThat(joined).isGreaterThan(2L * SEEDS);
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        ToyCluster one = new ToyCluster(7);
        ToyCluster other = new ToyCluster(7);
        one.runWithFaults();
        other.runWithFaults();
        assertThat(one.hash()).isEqualTo(other.hash());
    }
}
