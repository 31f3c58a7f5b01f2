package dev.fulmar.coordinator.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RecordRulesTest {
    private static final CopyId FIRST = new CopyId(new NodeId(1), 1);
    private static final CopyId SECOND = new CopyId(new NodeId(2), 1);
    private static final CopyId THIRD = new CopyId(new NodeId(3), 4);
    private static final PartitionRecord TERM_OF_FIRST = new PartitionRecord(7, FIRST, 5, List.of(FIRST, SECOND));

    @Test
    void onlyACopyInSyncBeginsATermOneEpochLater() {
        assertThat(TERM_OF_FIRST.objectionTo(new PartitionRecord(8, SECOND, 2, List.of(SECOND))))
                .isNull();
        assertThat(TERM_OF_FIRST.objectionTo(new PartitionRecord(8, FIRST, 6, List.of(FIRST, SECOND))))
                .isNull();
        assertThat(TERM_OF_FIRST.objectionTo(new PartitionRecord(8, THIRD, 4, List.of(THIRD))))
                .contains("not in sync");
        assertThat(TERM_OF_FIRST.objectionTo(new PartitionRecord(9, SECOND, 2, List.of(SECOND))))
                .contains("epoch 8");
        assertThat(TERM_OF_FIRST.objectionTo(new PartitionRecord(6, SECOND, 2, List.of(SECOND))))
                .contains("epoch 8");
    }

    @Test
    void aCopyThatBeganAnotherLifeIsNotTheOneThatWasInSync() {
        CopyId emptied = new CopyId(SECOND.node(), 3);
        assertThat(TERM_OF_FIRST.objectionTo(new PartitionRecord(8, FIRST, 5, List.of(FIRST, emptied))))
                .contains("that was not before");
        assertThat(TERM_OF_FIRST.objectionTo(new PartitionRecord(8, emptied, 3, List.of(FIRST, emptied))))
                .contains("not in sync");
    }

    /**
     * Where copies do not keep what they confirmed: once all that were in sync have ended, of which the record knows
     * nothing, one begins alone.
     */
    @Test
    void aCopyInThePlaceOfOneThatWasInSyncMayBeginAlone() {
        CopyId emptied = new CopyId(SECOND.node(), 3);
        assertThat(TERM_OF_FIRST.objectionTo(new PartitionRecord(8, emptied, 3, List.of(emptied))))
                .isNull();
        CopyId stranger = new CopyId(THIRD.node(), 5);
        assertThat(TERM_OF_FIRST.objectionTo(new PartitionRecord(8, stranger, 5, List.of(stranger))))
                .contains("not in sync");
    }

    @Test
    void aTermLastsForOneProcess() {
        assertThat(TERM_OF_FIRST.objectionTo(new PartitionRecord(7, SECOND, 2, List.of(FIRST, SECOND))))
                .contains("another epoch");
        assertThat(TERM_OF_FIRST.objectionTo(new PartitionRecord(7, FIRST, 6, List.of(FIRST, SECOND))))
                .contains("another epoch");
    }

    @Test
    void copiesJoinInATermAndNeverWithANewOne() {
        assertThat(TERM_OF_FIRST.objectionTo(new PartitionRecord(7, FIRST, 5, List.of(FIRST, SECOND, THIRD))))
                .isNull();
        assertThat(TERM_OF_FIRST.objectionTo(new PartitionRecord(7, FIRST, 5, List.of(FIRST))))
                .isNull();
        assertThat(TERM_OF_FIRST.objectionTo(new PartitionRecord(8, SECOND, 2, List.of(SECOND, THIRD))))
                .contains("was not before");
    }

    @Test
    void aPartitionBeginsWithTheFirstEpoch() {
        assertThat(new PartitionRecord(1, FIRST, 1, List.of(FIRST)).objectionAsFirst())
                .isNull();
        assertThat(TERM_OF_FIRST.objectionAsFirst()).contains("epoch 1");
    }

    @Test
    void senselessPartitionsAreRefused() {
        assertThatThrownBy(() -> new PartitionRecord(1, FIRST, 1, List.of(SECOND)))
                .hasMessageContaining("not among");
        assertThatThrownBy(() -> new PartitionRecord(1, FIRST, 1, List.of(SECOND, FIRST)))
                .hasMessageContaining("ascending");
        assertThatThrownBy(() -> new PartitionRecord(1, FIRST, 1, List.of(FIRST, new CopyId(FIRST.node(), 2))))
                .hasMessageContaining("one per node");
        assertThatThrownBy(() -> new PartitionRecord(0, FIRST, 1, List.of(FIRST)))
                .hasMessageContaining("epoch");
        assertThatThrownBy(() -> new PartitionRecord(1, THIRD, 3, List.of(THIRD)))
                .hasMessageContaining("older");
    }

    @Test
    void theClustersIdentityIsForEver() {
        UUID id = new UUID(1, 2);
        ClusterRecord cluster = new ClusterRecord(id, "orders", 8, 2, 1);
        assertThat(cluster.objectionTo(new ClusterRecord(id, "orders", 8, 3, 2)))
                .isNull();
        assertThat(cluster.objectionTo(new ClusterRecord(new UUID(1, 3), "orders", 8, 2, 1)))
                .isNotNull();
        assertThat(cluster.objectionTo(new ClusterRecord(id, "orders", 9, 2, 1)))
                .isNotNull();
        assertThat(cluster.objectionTo(new ClusterRecord(id, "other", 8, 2, 1))).isNotNull();
        assertThat(cluster.objectionTo(new ClusterRecord(id, "orders", 8, 2, 1, 2)))
                .isNotNull();
        assertThatThrownBy(() -> new ClusterRecord(id, "orders", 2, 2, 1, 2))
                .hasMessageContaining("at least one partition has keys");
        assertThatThrownBy(() -> new ClusterRecord(id, "orders", 1_025, 2, 1, 1))
                .hasMessageContaining("at most 1024");
        assertThat(new ClusterRecord(id, "orders", 5_000, 2, 1).spares()).isZero();
        assertThat(cluster.objectionTo(new VersionRecord(1, 0))).isNotNull();
    }

    @Test
    void aNodesIncarnationNeverFallsAndARemovedNodeStaysRemoved() {
        NodeRecord node = new NodeRecord(3, NodeRecord.Standing.MEMBER, "a:1");
        assertThat(node.objectionTo(new NodeRecord(4, NodeRecord.Standing.MEMBER, "b:2")))
                .isNull();
        assertThat(node.objectionTo(new NodeRecord(2, NodeRecord.Standing.MEMBER, "a:1")))
                .isNotNull();
        NodeRecord removed = new NodeRecord(3, NodeRecord.Standing.REMOVED, "a:1");
        assertThat(node.objectionTo(removed)).isNull();
        assertThat(removed.objectionTo(new NodeRecord(4, NodeRecord.Standing.MEMBER, "a:1")))
                .isNotNull();
    }

    @Test
    void versionsAreCountedOneByOne() {
        VersionRecord version = new VersionRecord(4, 99);
        assertThat(version.objectionTo(new VersionRecord(5, 1))).isNull();
        assertThat(version.objectionTo(new VersionRecord(4, 1))).isNotNull();
        assertThat(version.objectionTo(new VersionRecord(6, 1))).isNotNull();
    }

    @Test
    void aStepAgainstTheRulesIsADefectOfItsCaller() {
        var key = new StateKey.Partition(new PartitionId(3));
        assertThatThrownBy(() -> key.checkStep(
                        new Versioned<>(TERM_OF_FIRST, 12), new PartitionRecord(8, THIRD, 4, List.of(THIRD))))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("not in sync");
    }
}
