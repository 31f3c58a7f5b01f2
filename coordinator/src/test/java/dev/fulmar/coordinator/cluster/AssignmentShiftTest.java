package dev.fulmar.coordinator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.id.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AssignmentShiftTest {
    private static final int PARTITIONS = 24;
    private static final NodeId FOURTH = new NodeId(4);

    private static List<NodeId> nodes(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(NodeId::new).toList();
    }

    /** With the catalog behind the partitions. */
    private static List<List<NodeId>> plan(int nodes) {
        List<List<NodeId>> placed = new ArrayList<>(AssignmentPlan.balanced(nodes(nodes), PARTITIONS, 2));
        placed.add(nodes(nodes));
        return placed;
    }

    private static Map<NodeId, Integer> copies(List<List<NodeId>> placed) {
        Map<NodeId, Integer> counts = new TreeMap<>();
        placed.subList(0, PARTITIONS).forEach(holders -> {
            assertThat(new HashSet<>(holders)).hasSize(2);
            holders.forEach(node -> counts.merge(node, 1, Integer::sum));
        });
        return counts;
    }

    @Test
    void aNewNodeGetsItsShareAndWhoShouldLeadStays() {
        List<List<NodeId>> before = plan(3);
        List<List<NodeId>> after = AssignmentShift.adding(before, PARTITIONS, FOURTH);
        assertThat(copies(after).values()).allMatch(count -> count == 12);
        int moved = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            assertThat(after.get(partition).getFirst())
                    .isEqualTo(before.get(partition).getFirst());
            moved += after.get(partition).equals(before.get(partition)) ? 0 : 1;
        }
        assertThat(moved).isEqualTo(12);
        assertThat(after.getLast()).containsExactlyElementsOf(nodes(4));
        assertThatThrownBy(() -> AssignmentShift.adding(after, PARTITIONS, FOURTH))
                .hasMessageContaining("already");
    }

    @Test
    void whatAGoingNodeHadIsSpread() {
        List<List<NodeId>> before = plan(4);
        List<List<NodeId>> after = AssignmentShift.removing(before, PARTITIONS, nodes(4), FOURTH);
        assertThat(copies(after)).doesNotContainKey(FOURTH);
        assertThat(copies(after).values()).allMatch(count -> count >= 15 && count <= 17);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            if (!before.get(partition).contains(FOURTH)) {
                assertThat(after.get(partition)).isEqualTo(before.get(partition));
            }
        }
        assertThat(after.getLast()).containsExactlyElementsOf(nodes(3));
    }

    @Test
    void asManyNodesStayAsThereAreCopies() {
        assertThatThrownBy(() -> AssignmentShift.removing(plan(2), PARTITIONS, nodes(2), new NodeId(2)))
                .hasMessageContaining("add a node first");
    }
}
