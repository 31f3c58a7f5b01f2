package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A COMMIT from before a change of the primary. The former one may have told a client that asked that the COMMIT never
 * will be executed, which the present one cannot know.
 */
class CommitTermTest {
    private static final long CLIENT = 7;

    private final SteppedDatabase bank = SteppedDatabase.leader(2, new NodeId(0));
    private final List<TransactionResponse> answers = new ArrayList<>();
    private long lastRequest;

    private TransactionResponse end(ScriptEnding ending, long term) {
        ScriptStep step = new ScriptStep(
                "UPDATE account SET balance = balance + ? WHERE id = ?", SteppedDatabase.list(1L, 1L), 1);
        TransactionRequest.Script script = new TransactionRequest.Script(
                CLIENT, ++lastRequest, 0, List.of(step), ending, 2, false, false, 1, term, Caller.TRUSTED, 0);
        bank.database.submit(script, SteppedDatabase.sink(answers));
        bank.settle();
        return answers.getLast();
    }

    @Test
    void itIsExecutedInTheTermOfItsBeginOnly() {
        SteppedDatabase.createBank(bank.database, bank::settle);
        bank.sql("INSERT INTO account VALUES (?, ?)", 1L, 100L);
        long term = bank.database.term(CLIENT);
        assertThat(end(ScriptEnding.COMMIT, term)).isInstanceOf(Committed.class);
        for (long other : List.of(term - 1, term + 1)) {
            assertThat(SteppedDatabase.code(end(ScriptEnding.COMMIT, other)))
                    .isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
            assertThat(end(ScriptEnding.UNDO, other)).isInstanceOf(Committed.class);
        }
        assertThat(bank.balance(1)).isEqualTo(101);
    }
}
