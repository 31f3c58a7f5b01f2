package dev.fulmar.coordinator;

import static dev.fulmar.coordinator.ReplicatedBank.SECOND_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.health.ProbeRound;
import dev.fulmar.coordinator.health.ProbeRound.Answer;
import dev.fulmar.coordinator.health.ProbeRound.State;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Rounds of empty transactions, on one node and between nodes that fail. */
class ProbeRoundTest {
    private static final PartitionId FIRST = new PartitionId(0);

    @Test
    void onePerPartitionCommitsAndLeavesNoRecord() {
        SimulatedWorld world = new SimulatedWorld(1);
        SteppedDatabase db = new SteppedDatabase(
                DatabaseConfiguration.of(3, 2),
                new BankSql(),
                world.startProcess(new NodeId(0)).storage(),
                DurabilityMode.SYNC);
        db.sql("CHANGE 0");
        long records =
                Objects.requireNonNull(db.database.durability()).counters().records();
        long committed = db.database.figures().partition(1).committed.get();
        for (int i = 0; i < 100; i++) {
            ProbeRound round = db.database.probe();
            assertThat(round.isOver()).isFalse();
            assertThat(round.answers()).extracting(Answer::state).containsOnly(State.WAITS);
            db.settle();
            assertThat(round.isOver()).isTrue();
            assertThat(round.answers()).hasSize(3).allMatch(answer -> answer.state() == State.COMMITS);
        }
        assertThat(db.database.durability().counters().records()).isEqualTo(records);
        assertThat(db.database.figures().partition(1).committed.get()).isEqualTo(committed);
    }

    @Test
    void aStoppedDatabaseSaysSo() {
        SteppedDatabase db = SteppedDatabase.withBank(1);
        CompletableFuture<Void> stopped = db.database.stop(0);
        for (int i = 0; i < 1000 && !stopped.isDone(); i++) {
            db.time.advance(10_000_000);
            db.settle();
        }
        ProbeRound round = db.database.probe();
        assertThat(round.isOver()).isTrue();
        assertThat(round.answers().getFirst().state()).isEqualTo(State.FAILED);
        assertThat(String.valueOf(round.answers().getFirst().cause())).contains("takes nothing any more");
    }

    private static ProbeRound probe(ReplicatedBank bank, ClusterNode node) {
        ProbeRound round = node.database.probe();
        bank.world.runUntil(() -> round.isOver(), 2 * SECOND_NANOS);
        return round;
    }

    private static State stateOf(ProbeRound round, PartitionId partition) {
        return round.answers().stream()
                .filter(answer -> answer.partition().equals(partition))
                .findFirst()
                .orElseThrow()
                .state();
    }

    @Test
    void eachPartitionIsAskedOnTheNodeThatLeadsItAlone() {
        ReplicatedBank bank = new ReplicatedBank(11, 3, 3, 2, DurabilityMode.NONE);
        bank.calm();
        int asked = 0;
        for (ClusterNode node : bank.nodes.values()) {
            ProbeRound round = probe(bank, node);
            assertThat(round.isOver()).isTrue();
            assertThat(round.answers())
                    .allMatch(answer -> answer.state() == State.COMMITS || answer.state() == State.LED_ELSEWHERE);
            asked += (int) round.answers().stream()
                    .filter(answer -> answer.state() == State.COMMITS)
                    .count();
        }
        assertThat(asked).isEqualTo(3);
        bank.nodes.keySet().forEach(bank::kill);
    }

    /**
     * The store cannot be told to go on without the copy, so nothing of the partition may be answered, and an empty
     * transaction must not be either.
     */
    @Test
    void withoutACopyInSyncNothingCommitsUntilItIsBack() {
        ReplicatedBank bank = new ReplicatedBank(11, 3, 3, 2, DurabilityMode.SYNC);
        bank.calm();
        ClusterNode primary = bank.primary(FIRST);
        NodeId copy = bank.record(FIRST).get().inSync().stream()
                .map(found -> found.node())
                .filter(node -> !node.equals(primary.process.node()))
                .findFirst()
                .orElseThrow();
        Set<NodeId> all = bank.nodes.keySet();
        all.forEach(bank.store::cut);
        ProbeRound well = probe(bank, primary);
        assertThat(stateOf(well, FIRST)).as("the store is away").isEqualTo(State.COMMITS);

        bank.kill(copy);
        ProbeRound lost = probe(bank, primary);
        assertThat(stateOf(lost, FIRST)).as("the copy is away too").isEqualTo(State.WAITS);

        all.forEach(bank.store::mend);
        bank.restart(copy);
        assertThat(bank.world.runUntil(() -> lost.isOver(), 20 * SECOND_NANOS)).isTrue();
        assertThat(stateOf(lost, FIRST)).isNotEqualTo(State.WAITS);
        bank.nodes.keySet().forEach(bank::kill);
    }

    @Test
    void aPrimaryThatIsCutOffSaysSo() {
        ReplicatedBank bank = new ReplicatedBank(11, 3, 3, 2, DurabilityMode.NONE);
        bank.calm();
        ClusterNode primary = bank.primary(FIRST);
        bank.isolate(primary.process.node());
        ProbeRound round = probe(bank, primary);
        assertThat(stateOf(round, FIRST)).isNotEqualTo(State.COMMITS);
        bank.nodes.keySet().forEach(bank::kill);
    }
}
