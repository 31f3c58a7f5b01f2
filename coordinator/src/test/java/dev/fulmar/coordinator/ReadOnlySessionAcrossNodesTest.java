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
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Transactions that only read, of partitions that several nodes lead. */
class ReadOnlySessionAcrossNodesTest {
    private static final String ALL = "SELECT id, balance FROM account";
    private static final String TOTAL = "SELECT SUM(balance) FROM account";
    private static final int NODES = 2;
    private static final int PARTITIONS = 4;
    private static final int ACCOUNTS = 50;
    private static final long NO_CHECKPOINTS = 1L << 40;
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;

    private final RandomSource random = new SeededRandom(3);
    private final ByteBudget memory = new ByteBudget(1 << 20);
    private final List<TransactionResponse> answers = new ArrayList<>();
    private final ResponseSink client = SteppedDatabase.sink(answers);
    private long requests;

    private TransactionRequest.AdHoc request(String sql, Object... parameters) {
        return new TransactionRequest.AdHoc(9, ++requests, 0, sql, SteppedDatabase.list(parameters));
    }

    /** Two nodes of one database, with sessions at the first. */
    private final class Bank {
        final NodesOfOneBank nodes = new NodesOfOneBank(3, NODES, PARTITIONS, DurabilityMode.NONE, NO_CHECKPOINTS);
        final Sessions sessions = new Sessions(
                nodes.node(0).database,
                nodes.node(0).database.portals(),
                nodes.node(0).time,
                nodes.node(0).time,
                random,
                SessionLimits.DEFAULT,
                memory,
                10);

        Bank() {
            nodes.open(random, 100, LongStream.range(0, ACCOUNTS).toArray());
        }

        TransactionResponse run(String sql, Object... parameters) {
            sessions.execute(1, request(sql, parameters), client);
            for (int i = 0; i < 200 && answers.isEmpty(); i++) {
                nodes.settle(random);
                nodes.pass(1_000_000);
            }
            assertThat(answers).as(sql).hasSize(1);
            return answers.removeFirst();
        }

        void changeEverything() {
            for (long id = 0; id < ACCOUNTS; id++) {
                TransactionRequest change = new TransactionRequest.AdHoc(
                        0, 0, 0, "UPDATE account SET balance = ? WHERE id = ?", SteppedDatabase.list(5L, id));
                assertThat(SteppedDatabase.value(nodes.run(0, change, random))).isEqualTo(1);
            }
        }

        long readers() {
            nodes.settle(random);
            long readers = 0;
            for (int partition = 0; partition < PARTITIONS; partition++) {
                readers += nodes.node(nodes.leaderOf(partition))
                        .database
                        .figures()
                        .partition(partition)
                        .snapshotsActive
                        .get();
            }
            return readers;
        }

        void isEmpty() {
            assertThat(readers()).isZero();
            assertThat(sessions.openTransactions()).isZero();
            assertThat(memory.underWayBytes()).isZero();
            assertThat(nodes.refusals).isEmpty();
        }
    }

    private static void add(TransactionResponse part, List<Long> found) {
        assertThat(part).isInstanceOf(Committed.class);
        byte[] rows = ((Committed) part).results();
        ResultBlock block = new ResultBlock().wrap(rows, 0, rows.length);
        while (block.next()) {
            found.add(block.getLong(0));
            assertThat(block.getLong(1)).isEqualTo(100);
        }
    }

    @Test
    void allNodesAreReadAtOneState() {
        Bank bank = new Bank();
        bank.run("BEGIN READ ONLY");
        assertThat(SteppedDatabase.cell(bank.run(TOTAL))).isEqualTo(100L * ACCOUNTS);
        assertThat(bank.readers()).isEqualTo(PARTITIONS);
        bank.changeEverything();
        assertThat(SteppedDatabase.cell(bank.run(TOTAL))).isEqualTo(100L * ACCOUNTS);
        bank.run("DECLARE one CURSOR FOR " + ALL);
        bank.run("DECLARE two CURSOR FOR " + ALL + " ORDER BY 1");
        bank.run("DECLARE three CURSOR FOR " + ALL);
        List<Long> one = new ArrayList<>();
        List<Long> two = new ArrayList<>();
        List<Long> three = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            add(bank.run("FETCH 7 one"), one);
            add(bank.run("FETCH 9 two"), two);
            add(bank.run("FETCH 2 three"), three);
        }
        bank.run("CLOSE three");
        List<Long> everybody = LongStream.range(0, ACCOUNTS).boxed().toList();
        assertThat(one).containsExactlyInAnyOrderElementsOf(everybody);
        assertThat(two).isEqualTo(everybody);
        assertThat(three).hasSize(16).doesNotHaveDuplicates();
        for (long id = 0; id < ACCOUNTS; id++) {
            assertThat(SteppedDatabase.cell(bank.run("SELECT balance FROM account WHERE id = ?", id)))
                    .isEqualTo(100);
        }
        assertThat(bank.run("COMMIT")).isInstanceOf(Committed.class);
        bank.isEmpty();
        bank.run("BEGIN READ ONLY");
        assertThat(SteppedDatabase.cell(bank.run(TOTAL)))
                .as("what was acknowledged is seen")
                .isEqualTo(5L * ACCOUNTS);
        bank.sessions.departed(client);
        bank.isEmpty();
    }

    @Test
    void aLostNodeEndsTheTransaction() {
        Bank bank = new Bank();
        bank.run("BEGIN READ ONLY");
        bank.run(TOTAL);
        bank.run("DECLARE c CURSOR FOR " + ALL);
        bank.nodes.cut(0, 1, random);
        bank.nodes.settle(random);
        assertThat(SteppedDatabase.code(bank.run("FETCH ALL c"))).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
        assertThat(SteppedDatabase.code(bank.run(TOTAL))).isEqualTo(ErrorCode.FAILED_TRANSACTION);
        bank.run("ROLLBACK");
        bank.isEmpty();
    }

    // Another primary.

    private TransactionResponse run(ReplicatedBank bank, Sessions sessions, TransactionRequest.AdHoc request) {
        sessions.execute(1, request, client);
        assertThat(bank.world.runUntil(() -> !answers.isEmpty(), 20 * SECOND_NANOS))
                .as(request.sql())
                .isTrue();
        return answers.removeFirst();
    }

    /** The new primary keeps no versions for it. */
    @Test
    void anotherPrimaryEndsTheTransaction() {
        ReplicatedBank bank = new ReplicatedBank(31, 3, 3, 2, DurabilityMode.NONE);
        bank.world.runFor(SECOND_NANOS);
        PartitionId partition = new PartitionId(0);
        NodeId former = bank.primary(partition).process.node();
        NodeId next = bank.nodesOf(partition).stream()
                .filter(node -> !node.equals(former))
                .findFirst()
                .orElseThrow();
        for (NodeId at : List.of(former, next)) {
            ClusterNode here = bank.node(at);
            Sessions sessions = new Sessions(
                    here.database,
                    here.database.portals(),
                    here.process.clock(),
                    here.process.scheduler(),
                    random,
                    SessionLimits.DEFAULT,
                    memory,
                    10);
            assertThat(run(bank, sessions, request("BEGIN READ ONLY"))).isInstanceOf(Committed.class);
            assertThat(run(bank, sessions, request(TOTAL))).isInstanceOf(Committed.class);
            assertThat(run(bank, sessions, request(TOTAL))).isInstanceOf(Committed.class);
            NodeId wanted = bank.primary(partition).process.node().equals(next) ? former : next;
            NodeId other = wanted.equals(next) ? former : next;
            bank.nodes
                    .values()
                    .forEach(each -> each.database
                            .copies()
                            .of(partition)
                            .tell(new LeadershipEvent.Planned(List.of(wanted, other))));
            assertThat(bank.world.runUntil(
                            () -> bank.primary(partition).process.node().equals(wanted) && bank.allServe(),
                            20 * SECOND_NANOS))
                    .isTrue();
            bank.world.runFor(SECOND_NANOS);
            assertThat(SteppedDatabase.code(run(bank, sessions, request(TOTAL))))
                    .isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
            run(bank, sessions, request("ROLLBACK"));
            assertThat(memory.underWayBytes()).isZero();
        }
    }
}
