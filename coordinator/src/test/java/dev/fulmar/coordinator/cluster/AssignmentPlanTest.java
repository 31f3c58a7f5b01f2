package dev.fulmar.coordinator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AssignmentPlanTest {
    private static List<NodeId> nodes(int count) {
        return IntStream.range(1, count + 1).mapToObj(NodeId::new).toList();
    }

    @Test
    void everyNodeLeadsItsShareAndHoldsItsShare() {
        for (int count = 1; count <= 7; count++) {
            for (int copies = 1; copies <= Math.min(count, 4); copies++) {
                List<List<NodeId>> placed = AssignmentPlan.balanced(nodes(count), 84, copies);
                Map<NodeId, Integer> leads = new HashMap<>();
                for (List<NodeId> holders : placed) {
                    assertThat(new HashSet<>(holders)).hasSize(copies);
                    leads.merge(holders.getFirst(), 1, Integer::sum);
                }
                int most = leads.values().stream().max(Integer::compare).orElseThrow();
                int least = leads.values().stream().min(Integer::compare).orElseThrow();
                assertThat(most - least).isLessThanOrEqualTo(1);
            }
        }
    }

    @Test
    void theFollowersOfANodeAreSpreadOverTheOthers() {
        Map<NodeId, Integer> followers = new HashMap<>();
        for (List<NodeId> holders : AssignmentPlan.balanced(nodes(4), 24, 2)) {
            if (holders.getFirst().number() == 1) {
                followers.merge(holders.get(1), 1, Integer::sum);
            }
        }
        assertThat(followers.values()).containsExactly(2, 2, 2);
    }

    @Test
    void thereAreAsManyNodesAsCopies() {
        assertThatThrownBy(() -> AssignmentPlan.balanced(nodes(2), 4, 3))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("there are 2");
    }

    @Test
    void aRecordSpeaksOfItsPartitions() {
        assertThat(AssignmentPlan.records(AssignmentPlan.balanced(nodes(3), 70, 3)))
                .extracting(record -> record.copies().size())
                .containsExactly(32, 32, 6);
    }
}
