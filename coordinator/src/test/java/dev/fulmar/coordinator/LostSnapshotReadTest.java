package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.planning.PlannerThreads;
import dev.fulmar.coordinator.planning.PlanningQueue;
import dev.fulmar.coordinator.remote.ClusterPorts;
import dev.fulmar.coordinator.remote.PrimaryMap;
import dev.fulmar.coordinator.remote.RemoteTransactions;
import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.transaction.NoTargets;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.coordinator.transaction.PartitionSnapshotRead;
import dev.fulmar.coordinator.transaction.PartitionTransport;
import dev.fulmar.coordinator.transaction.SnapshotReadRequest;
import dev.fulmar.coordinator.transaction.SnapshotReadTask;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.partition.PartitionMessage;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A reader's timestamp is the highest that any of its partitions has passed. One that was lost on the way may have
 * passed a higher one, so it must never be asked at that timestamp: its copy would be asked for something older than it
 * keeps for the reader.
 */
class LostSnapshotReadTest {
    private static final int PARTITIONS = 2;
    private static final NodeId SELF = new NodeId(1);
    private static final NodeId OTHER = new NodeId(2);
    private static final PartitionId PARTITION = new PartitionId(1);
    private static final long PROPOSED = 1_000;

    private final List<SnapshotReadTask> reads = new ArrayList<>();
    private final List<NodeId> sent = new ArrayList<>();

    /** The first partition has passed a later timestamp than the one proposed; the second is lost. */
    private PartitionTransport losing(PartitionTransport way) {
        return (partition, message) -> {
            if (message instanceof SnapshotReadTask.Arrive(var _, SnapshotReadRequest question)) {
                if (partition.equals(PARTITION)) {
                    question.read(List.of(), new FragmentFailure(0, ErrorCode.NOT_CONNECTED, "lost"));
                    question.passed(question.timestamp(), true);
                } else {
                    question.passed(question.timestamp() + 8, true);
                }
                return;
            }
            if (message instanceof SnapshotReadTask.Read read) {
                reads.add(read);
            }
            way.send(partition, message);
        };
    }

    @Test
    void nothingIsReadIfAPartitionIsLostBeforeAllHavePassed() {
        SteppedDatabase database = new SteppedDatabase(PARTITIONS, this::losing);
        SteppedDatabase.createBank(database.database, database::settle);
        TransactionResponse response = database.run(new TransactionRequest.AdHoc(
                0, 0, 0, ReadConsistency.STRICT, "SELECT SUM(balance) FROM account", SteppedDatabase.list()));
        assertThat(SteppedDatabase.code(response)).isEqualTo(ErrorCode.NOT_CONNECTED);
        assertThat(reads).isEmpty();
    }

    /** What the reader is told, in order. */
    private static final class Question implements SnapshotReadRequest {
        final List<String> told = new ArrayList<>();

        @Override
        public long timestamp() {
            return PROPOSED;
        }

        @Override
        public List<FragmentWork> work() {
            return List.of();
        }

        @Override
        public void passed(long clock, boolean isClear) {
            told.add("passed " + clock);
        }

        @Override
        public void read(List<FragmentResult> results, @Nullable FragmentFailure failure) {
            told.add(failure == null ? "read" : failure.code().name());
        }
    }

    private RemoteTransactions transactions(SteppedDatabase database, PrimaryMap primaries) {
        return new RemoteTransactions(
                new ClusterPorts(primaries, (to, message) -> sent.add(to)),
                null,
                runtimes(database),
                new NoTargets(),
                new PlanningQueue(
                        PlannerThreads.of(database.fibers), database.time, database.time, PlanningQueue.USUAL_CAPACITY),
                database.time);
    }

    private static PartitionRuntimes runtimes(SteppedDatabase database) {
        return new PartitionRuntimes(
                List.of(database.database.runtime(new PartitionId(0)), database.database.runtime(PARTITION)));
    }

    private static PartitionSnapshotRead visit(SteppedDatabase database) {
        return new PartitionSnapshotRead(
                database.database.runtime(PARTITION), new TransactionId(7, SELF.number()), 0, true);
    }

    private static void send(PartitionTransport way, PartitionMessage message) {
        way.send(PARTITION, message);
    }

    @Test
    void aLostVisitIsOnlyLeft() {
        SteppedDatabase database = new SteppedDatabase(DatabaseConfiguration.of(PARTITIONS, PARTITIONS));
        RemoteTransactions remote = transactions(database, new FixedPrimaries(SELF, OTHER, false));
        PartitionTransport way = remote.way();
        PartitionSnapshotRead visit = visit(database);
        Question first = new Question();
        send(way, new SnapshotReadTask.Arrive(visit, first));
        assertThat(sent).hasSize(1);
        remote.linkLost(OTHER);
        assertThat(first.told).containsExactly("NOT_CONNECTED", "passed " + PROPOSED);

        Question second = new Question();
        send(way, new SnapshotReadTask.Read(visit, second));
        assertThat(second.told).containsExactly("NOT_CONNECTED", "passed " + PROPOSED);
        assertThat(sent).as("there may be a new session").hasSize(1);
        send(way, new SnapshotReadTask.Leave(visit));
        assertThat(sent).hasSize(2);
        assertThat(remote.underWay()).isZero();
    }

    /** A node can send to itself, and its copy may lead a moment later. */
    @Test
    void aReaderThatFoundNobodyToAskIsNowhere() {
        SteppedDatabase database = new SteppedDatabase(DatabaseConfiguration.of(PARTITIONS, PARTITIONS));
        List<@Nullable NodeId> primaries = new ArrayList<>();
        primaries.add(null);
        primaries.add(SELF);
        for (NodeId primary : primaries) {
            RemoteTransactions remote = transactions(database, new FixedPrimaries(SELF, primary, false));
            PartitionSnapshotRead visit = visit(database);
            Question question = new Question();
            send(remote.way(), new SnapshotReadTask.Arrive(visit, question));
            assertThat(question.told).containsExactly("NOT_CONNECTED", "passed " + PROPOSED);
            send(remote.way(), new SnapshotReadTask.Leave(visit));
            assertThat(remote.underWay()).isZero();
        }
        assertThat(sent).isEmpty();
    }
}
