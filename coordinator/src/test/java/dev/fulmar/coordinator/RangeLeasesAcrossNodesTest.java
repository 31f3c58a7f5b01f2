package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.session.SessionLimits;
import dev.fulmar.coordinator.session.Sessions;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ranges over partitions that several nodes lead, read FOR UPDATE by sessions of all nodes. */
class RangeLeasesAcrossNodesTest {
    private static final String RANGE = "SELECT SUM(balance) FROM account WHERE id BETWEEN ? AND ?";
    private static final String RANGE_FOR_UPDATE = RANGE + " FOR UPDATE";
    private static final String INSERT = "INSERT INTO account VALUES (?, ?)";
    private static final int NODES = 3;
    private static final int PARTITIONS = 3;
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;

    /** Less than a lease lasts, and longer than a message takes. */
    private static final long A_WHILE_NANOS = SECOND_NANOS / 5;

    private final ReplicatedBank bank = new ReplicatedBank(31, NODES, PARTITIONS, 2, DurabilityMode.NONE);
    private final ByteBudget memory = new ByteBudget(1 << 20);
    private final List<Sessions> sessions = new ArrayList<>();
    private int clients;

    /** A client with a transaction at a node. */
    private final class Client {
        private final long id = ++clients;
        private final Sessions at;
        final List<TransactionResponse> answers = new ArrayList<>();
        final ResponseSink sink = SteppedDatabase.sink(answers);
        private long requests;

        Client(int node) {
            at = sessions.get(node - 1);
        }

        Client begin() {
            run("BEGIN");
            bank.world.runFor(SECOND_NANOS / 1_000); // each is younger than those before it
            return this;
        }

        void send(String sql, Object... parameters) {
            at.execute(1, new TransactionRequest.AdHoc(id, ++requests, 0, sql, SteppedDatabase.list(parameters)), sink);
        }

        TransactionResponse hears() {
            assertThat(bank.world.runUntil(() -> !answers.isEmpty(), A_WHILE_NANOS))
                    .isTrue();
            return answers.removeFirst();
        }

        TransactionResponse run(String sql, Object... parameters) {
            send(sql, parameters);
            return hears();
        }

        /** Cancels what was sent last. */
        void cancels() {
            at.cancel(id, requests);
        }

        void waits(String sql, Object... parameters) {
            send(sql, parameters);
            bank.world.runFor(A_WHILE_NANOS);
            assertThat(answers).as(sql).isEmpty();
        }
    }

    @BeforeEach
    void openSessions() {
        bank.passesOn = true;
        bank.world.runFor(SECOND_NANOS);
        for (int node = 1; node <= NODES; node++) {
            ClusterNode here = bank.node(new NodeId(node));
            sessions.add(new Sessions(
                    here.database,
                    here.database.portals(),
                    here.process.clock(),
                    here.process.scheduler(),
                    new SeededRandom(node),
                    SessionLimits.DEFAULT,
                    memory,
                    10));
        }
        assertThat(bank.leaders(new NodeId(0))).as("several nodes lead").hasSizeGreaterThan(1);
    }

    @AfterEach
    void nothingIsLeft() {
        bank.world.runFor(A_WHILE_NANOS);
        assertThat(memory.underWayBytes()).isZero();
        Client last = new Client(2).begin();
        assertThat(last.run(RANGE_FOR_UPDATE + " NOWAIT", -1_000L, 1_000L)).isInstanceOf(Committed.class);
        last.run("COMMIT");
    }

    @Test
    void aRangeIsKeptAtAllNodes() {
        Client one = new Client(1).begin();
        assertThat(one.run(RANGE_FOR_UPDATE, 1_000L, 1_050L)).isInstanceOf(Committed.class);
        List<Client> others = new ArrayList<>();
        for (int i = 0; i < 9; i++) { // of all partitions, from all nodes
            Client other = new Client(1 + i / 3).begin();
            other.send(INSERT, 1_000L + i, 1L);
            others.add(other);
        }
        Client far = new Client(2).begin();
        Client near = new Client(1).begin();
        far.send(RANGE_FOR_UPDATE, 1_050L, 1_060L);
        near.send(RANGE_FOR_UPDATE, 990L, 1_060L);
        bank.world.runFor(A_WHILE_NANOS);
        assertThat(others).allSatisfy(other -> assertThat(other.answers).isEmpty());
        assertThat(far.answers).isEmpty();
        assertThat(near.answers).isEmpty();
        one.run("ROLLBACK");
        for (Client other : others) {
            assertThat(SteppedDatabase.value(other.hears())).isEqualTo(1);
            assertThat(other.run("COMMIT")).isInstanceOf(Committed.class);
        }
        far.hears();
        far.run("ROLLBACK");
        assertThat(near.hears()).isInstanceOf(Committed.class);
        near.run("ROLLBACK");
    }

    /** A transaction that ends leaves the ranges that it leased at some of the nodes. */
    @Test
    void aRangeThatIsNotHadEverywhereIsGivenBack() {
        Client one = new Client(1).begin();
        Client two = new Client(2).begin();
        for (long id = 0; id < 3; id++) {
            one.run("SELECT balance FROM account WHERE id = ? FOR UPDATE", id);
        }
        assertThat(SteppedDatabase.code(two.run(RANGE_FOR_UPDATE + " NOWAIT", 0L, 9L)))
                .isEqualTo(ErrorCode.LOCK_NOT_AVAILABLE);
        two.waits(RANGE_FOR_UPDATE, 0L, 9L);
        two.at.departed(two.sink);
        bank.world.runFor(A_WHILE_NANOS);
        one.run("COMMIT");
    }

    @Test
    void aCancelEndsAWaitAtAnotherNode() {
        Client one = new Client(1).begin();
        Client two = new Client(2).begin();
        for (long id = 0; id < 3; id++) {
            one.run("SELECT balance FROM account WHERE id = ? FOR UPDATE", id);
            two.waits("SELECT balance FROM account WHERE id = ? FOR UPDATE", id);
            two.cancels();
            assertThat(SteppedDatabase.code(two.hears())).isEqualTo(ErrorCode.CANCELLED);
        }
        two.waits(RANGE_FOR_UPDATE, 0L, 9L);
        two.cancels();
        assertThat(SteppedDatabase.code(two.hears())).isEqualTo(ErrorCode.CANCELLED);
        one.run("COMMIT");
        two.run("COMMIT");
    }

    /** It had the ranges of some nodes, and waited at another one. */
    @Test
    void whatACancelledWaitHadIsGivenBack() {
        for (long id = 0; id < 3; id++) {
            Client one = new Client(1).begin();
            Client two = new Client(2).begin();
            Client three = new Client(3).begin();
            one.run("SELECT balance FROM account WHERE id = ? FOR UPDATE", id);
            two.waits(RANGE_FOR_UPDATE, 0L, 9L);
            two.cancels();
            assertThat(SteppedDatabase.code(two.hears())).isEqualTo(ErrorCode.CANCELLED);
            one.run("COMMIT");
            two.run("COMMIT");
            assertThat(three.run(RANGE_FOR_UPDATE + " NOWAIT", 0L, 9L)).isInstanceOf(Committed.class);
            three.run("COMMIT");
        }
    }

    /** A new primary knows of no lease: the others go on, and the transaction fails if they changed its range. */
    @Test
    void aNewPrimaryKeepsNothing() {
        PartitionId partition = new PartitionId(0);
        Client one = new Client(1).begin();
        one.run(RANGE_FOR_UPDATE, 1_000L, 1_050L);
        NodeId former = bank.primary(partition).process.node();
        NodeId next = bank.nodesOf(partition).stream()
                .filter(node -> !node.equals(former))
                .findFirst()
                .orElseThrow();
        bank.nodes
                .values()
                .forEach(each ->
                        each.database.copies().of(partition).tell(new LeadershipEvent.Planned(List.of(next, former))));
        assertThat(bank.world.runUntil(
                        () -> bank.primary(partition).process.node().equals(next) && bank.allServe(),
                        20 * SECOND_NANOS))
                .isTrue();
        bank.world.runFor(2 * SECOND_NANOS); // leases have ended by then
        for (int i = 0; i < 6; i++) {
            Client other = new Client(2).begin();
            assertThat(SteppedDatabase.value(other.run(INSERT, 1_000L + i, 1L))).isEqualTo(1);
            assertThat(other.run("COMMIT")).isInstanceOf(Committed.class);
        }
        assertThat(SteppedDatabase.code(one.run(INSERT, 1_020L, 1L))).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
        one.run("ROLLBACK");
    }
}
