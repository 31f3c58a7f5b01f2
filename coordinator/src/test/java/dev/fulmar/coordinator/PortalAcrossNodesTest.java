package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.portal.PortalLimits;
import dev.fulmar.coordinator.portal.Portals;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results that clients fetch in parts, of partitions that several nodes lead. */
class PortalAcrossNodesTest {
    private static final String ALL = "SELECT id, balance FROM account";
    private static final int NODES = 3;
    private static final int PARTITIONS = 6;
    private static final int ACCOUNTS = 50;
    private static final long NO_CHECKPOINTS = 1L << 40;

    private final RandomSource random = new SeededRandom(3);
    private final NodesOfOneBank bank = new NodesOfOneBank(3, NODES, PARTITIONS, DurabilityMode.NONE, NO_CHECKPOINTS);
    private final ByteBudget memory = new ByteBudget(1 << 20);
    private final List<TransactionResponse> answers = new ArrayList<>();
    private final Portals portals = new Portals(
            bank.node(0).database, bank.node(0).database.portals(), bank.node(0).time, PortalLimits.DEFAULT, memory);
    private final ResponseSink client = SteppedDatabase.sink(answers);
    private long requests;

    private TransactionRequest.AdHoc request(String sql) {
        return new TransactionRequest.AdHoc(9, ++requests, 0, sql, SteppedDatabase.list());
    }

    private TransactionResponse answer() {
        for (int i = 0; i < 100 && answers.isEmpty(); i++) {
            bank.settle(random);
            bank.pass(1_000_000);
        }
        assertThat(answers).hasSize(1);
        return answers.removeFirst();
    }

    private void openAccounts() {
        bank.open(random, 100, LongStream.range(0, ACCOUNTS).toArray());
    }

    private TransactionResponse open(int rows, String sql) {
        portals.open(1, rows, request(sql), client);
        return answer();
    }

    private TransactionResponse fetch(int rows) {
        portals.fetch(1, rows, request(""), client);
        return answer();
    }

    private void changeEverything() {
        for (long id = 0; id < ACCOUNTS; id++) {
            TransactionRequest change = new TransactionRequest.AdHoc(
                    0, 0, 0, "UPDATE account SET balance = ? WHERE id = ?", SteppedDatabase.list(5L, id));
            assertThat(SteppedDatabase.value(bank.run(0, change, random))).isEqualTo(1);
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

    private long readers() {
        long readers = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            readers += bank.node(bank.leaderOf(partition))
                    .database
                    .figures()
                    .partition(partition)
                    .snapshotsActive
                    .get();
        }
        return readers;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ORDER BY 1"})
    void partsComeFromAllNodesAndAreOfOneState(String order) {
        openAccounts();
        TransactionResponse part = open(7, ALL + order);
        changeEverything();
        List<Long> found = new ArrayList<>();
        add(part, found);
        for (; ((Committed) part).value() != 0; add(part, found)) {
            assertThat(found.size() % 7).isZero();
            part = fetch(7);
        }
        assertThat(found)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, ACCOUNTS).boxed().toList());
        assertThat(portals.openPortals()).isZero();
        bank.settle(random);
        assertThat(readers()).isZero();
        assertThat(bank.refusals).isEmpty();
    }

    @Test
    void aPortalWhosePartitionsAreElsewhereIsLeftEverywhere() {
        openAccounts();
        open(1, ALL);
        assertThat(readers()).isEqualTo(PARTITIONS);
        portals.departed(client);
        bank.settle(random);
        assertThat(readers()).isZero();
        assertThat(memory.underWayBytes()).isZero();
    }

    @Test
    void aLostNodeEndsThePortal() {
        openAccounts();
        open(1, ALL);
        bank.cut(0, 1, random);
        bank.settle(random);
        List<TransactionResponse> parts = new ArrayList<>();
        do {
            parts.add(fetch(1000));
        } while (parts.getLast() instanceof Committed);
        assertThat(SteppedDatabase.code(parts.getLast())).isEqualTo(ErrorCode.NOT_CONNECTED);
        assertThat(portals.openPortals()).isZero();
        bank.settle(random);
        assertThat(readers()).isZero();
        assertThat(memory.underWayBytes()).isZero();
    }
}
