package dev.fulmar.coordinator.membership.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatePathsTest {
    private final StatePaths paths = new StatePaths("orders");

    @Test
    void aPathLeadsBackToItsRecord() {
        List<StateKey<?>> keys = List.of(
                new StateKey.Cluster(),
                new StateKey.Catalog(),
                new StateKey.Plan(),
                new StateKey.Node(new NodeId(0)),
                new StateKey.Node(new NodeId(41)),
                new StateKey.Assignment(7),
                new StateKey.Partition(new PartitionId(65_535)));
        for (StateKey<?> key : keys) {
            assertThat(paths.keyAt(paths.of(key))).contains(key);
            assertThat(paths.isPresence(paths.of(key))).isFalse();
        }
        assertThat(paths.of(new StateKey.Node(new NodeId(41)))).isEqualTo("/fulmar/orders/nodes/41");
        assertThat(paths.isPresence(paths.ofPresence(new NodeId(41)))).isTrue();
        assertThat(paths.isPresence(paths.presences())).isTrue();
    }

    @Test
    void otherPathsLeadNowhere() {
        assertThat(List.of(
                        "/fulmar/orders/nodes/01",
                        "/fulmar/orders/nodes/-1",
                        "/fulmar/orders/nodes/1/x",
                        "/fulmar/orders/nodes/",
                        "/fulmar/orders/nodes/1234567890",
                        "/fulmar/other/nodes/1",
                        "/fulmar/orders",
                        ""))
                .allSatisfy(path -> assertThat(paths.keyAt(path)).isEmpty());
    }

    @Test
    void strangeNamesOfNodesAreRefused() {
        assertThat(StatePaths.nodeNamed("17")).isEqualTo(new NodeId(17));
        assertThatThrownBy(() -> StatePaths.nodeNamed("17\u0007;x")).hasMessageContaining("'17?;x'");
    }

    @Test
    void theClustersNameCannotLeaveItsDirectory() {
        assertThatThrownBy(() -> new StatePaths("../x")).hasMessageContaining("no name for a cluster");
        assertThatThrownBy(() -> new StatePaths("")).hasMessageContaining("no name for a cluster");
    }
}
