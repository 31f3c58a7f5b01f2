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
    void aNewNodeGetsItsShareAndLeadsItsShare() {
        List<List<NodeId>> before = plan(3);
        List<List<NodeId>> after = AssignmentShift.adding(before, PARTITIONS, FOURTH);
        assertThat(copies(after).values()).allMatch(count -> count == 12);
        int moved = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            moved += new HashSet<>(after.get(partition)).equals(new HashSet<>(before.get(partition))) ? 0 : 1;
        }
        assertThat(moved).isEqualTo(12);
        assertThat(leaders(after).values()).hasSize(4).allMatch(count -> count == 6);
        assertThat(after.getLast()).containsExactlyElementsOf(nodes(4));
        assertThatThrownBy(() -> AssignmentShift.adding(after, PARTITIONS, FOURTH))
                .hasMessageContaining("already");
    }

    private static Map<NodeId, Integer> leaders(List<List<NodeId>> placed) {
        Map<NodeId, Integer> counts = new TreeMap<>();
        placed.subList(0, PARTITIONS).forEach(holders -> counts.merge(holders.getFirst(), 1, Integer::sum));
        return counts;
    }

    @Test
    void aNewNodeGetsOnlyCopiesWhereThereIsOneEach() {
        List<List<NodeId>> before = new ArrayList<>(AssignmentPlan.balanced(nodes(3), PARTITIONS, 1));
        before.add(nodes(3));
        List<List<NodeId>> after = AssignmentShift.adding(before, PARTITIONS, FOURTH);
        assertThat(leaders(after).values()).hasSize(4).allMatch(count -> count == 6);
        List<List<NodeId>> without = AssignmentShift.removing(after, PARTITIONS, nodes(4), new NodeId(1));
        assertThat(leaders(without).values()).hasSize(3).allMatch(count -> count == 8);
    }

    /** The second has no copy of what the first should lead: the third passes one of its own on. */
    @Test
    void leadersAreEvenedOutAlongAPathOfCopies() {
        NodeId first = new NodeId(1);
        NodeId second = new NodeId(2);
        NodeId third = new NodeId(3);
        List<List<NodeId>> before = List.of(
                List.of(first, third), List.of(first, third), List.of(third, second), List.of(first, second, third));
        assertThat(LeaderBalance.of(before, 3))
                .containsExactly(
                        List.of(third, first), List.of(first, third), List.of(second, third), before.getLast());
    }

    @Test
    void whatAGoingNodeHadIsSpread() {
        List<List<NodeId>> before = plan(4);
        List<List<NodeId>> after = AssignmentShift.removing(before, PARTITIONS, nodes(4), FOURTH);
        assertThat(copies(after)).doesNotContainKey(FOURTH);
        assertThat(copies(after).values()).allMatch(count -> count >= 15 && count <= 17);
        assertThat(leaders(after).values()).hasSize(3).allMatch(count -> count == 8);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            if (!before.get(partition).contains(FOURTH)) {
                assertThat(after.get(partition)).containsExactlyInAnyOrderElementsOf(before.get(partition));
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
