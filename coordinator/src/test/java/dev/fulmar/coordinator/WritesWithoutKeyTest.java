package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A write that could begin at any partition begins where its handle says, so its repetition finds the outcome. */
class WritesWithoutKeyTest {
    private static final int CREATE_SALE = 9;
    private static final int PARTITION_SALE = 10;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aStatementThatCallsAProcedureIsExecutedOnceByAllNodes(long account) {
        ReplicatedBank bank = new ReplicatedBank(71, 3, 3, 1, DurabilityMode.SYNC);
        TransactionRequest opening = new TransactionRequest.AdHoc(
                9, 1, 0, "CALL ACCOUNT.insert(?, ?)", SteppedDatabase.list(1_000 + account, 7L));
        List<TransactionResponse> answers = new ArrayList<>();
        bank.nodes.values().forEach(node -> answers.add(bank.await(bank.ask(node, opening))));
        assertThat(answers)
                .as("%s", answers)
                .filteredOn(Committed.class::isInstance)
                .hasSize(1);
        assertThat(answers)
                .filteredOn(answer -> SteppedDatabase.code(answer) == ErrorCode.WRONG_NODE)
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aRepetitionAtAnotherNodeIsNotExecuted(long client) {
        ReplicatedBank bank = new ReplicatedBank(71, 3, 3, 1, DurabilityMode.SYNC);
        bank.change(CREATE_SALE);
        bank.change(PARTITION_SALE);
        TransactionRequest sale = new TransactionRequest.AdHoc(
                client, 1, 0, "INSERT INTO sale SELECT ?, ?", SteppedDatabase.list(5L, 7L));
        List<TransactionResponse> answers = new ArrayList<>();
        bank.nodes.values().forEach(node -> answers.add(bank.await(bank.ask(node, sale))));
        assertThat(answers.stream().filter(answer -> answer instanceof Committed))
                .hasSize(1);
        assertThat(answers.stream().filter(answer -> SteppedDatabase.code(answer) == ErrorCode.WRONG_NODE))
                .as("the others pass it on")
                .hasSize(2);
        ClusterNode anyNode = bank.nodes.values().iterator().next();
        TransactionRequest total =
                new TransactionRequest.AdHoc(0, 0, 0, "SELECT SUM(balance) FROM sale", SteppedDatabase.list());
        assertThat(SteppedDatabase.cell(bank.await(bank.ask(anyNode, total)))).isEqualTo(7);
    }
}
