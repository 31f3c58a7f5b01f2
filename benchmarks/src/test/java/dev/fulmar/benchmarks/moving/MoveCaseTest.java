package dev.fulmar.benchmarks.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.reconfig.plan.PlanDocument;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MoveCaseTest {
    @Test
    void withoutWordsItHasOneCopyAndTheUsualPace() {
        assertThat(MoveCase.of(Set.of())).isEqualTo(new MoveCase(1, "", "", ""));
        assertThat(MoveCase.of(Set.of()).start("plan")).containsExactly("START", "plan", "", "", "");
    }

    @Test
    void wordsChangeIt() {
        MoveCase given = MoveCase.of(Set.of("k=1", "chunk-kib=16", "delay-ms=5", "max-p99-increase=20%"));
        assertThat(given).isEqualTo(new MoveCase(2, "16", "5", "20"));
        assertThat(given.start("plan")).containsExactly("START", "plan", "16384", "5000", "20");
        assertThat(given.toString()).isEqualTo("k=1 chunk-kib=16 delay-ms=5 max-p99-increase=20");
    }

    @Test
    void otherWordsAreRefused() {
        assertThatThrownBy(() -> MoveCase.of(Set.of("k1"))).hasMessageContaining("'k1' is no part of a case");
    }

    /** The holder has the keys of all records, and the other partition has only keys that no record has. */
    @Test
    void plansGiveAllRecordsToTheHolder() {
        PartitionPlan first = PartitionPlan.ranges(0, 1_000);
        for (int holder = 0; holder < 2; holder++) {
            PartitionPlan plan =
                    PlanDocument.read(MovingCluster.plan(holder, 1_000)).on(first);
            for (long key : new long[] {0, 1, 500, 999}) {
                assertThat(plan.partitionOf(key)).isEqualTo(holder);
            }
            assertThat(plan.partitionOf(-1L)).isEqualTo(0);
            assertThat(plan.partitionOf(1_000L)).isEqualTo(1);
        }
    }
}
