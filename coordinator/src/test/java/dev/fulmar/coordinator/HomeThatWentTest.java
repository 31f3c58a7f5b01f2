package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The home partition goes to another node and comes back while a request's transaction runs. The other node may have
 * executed the request, and what the transaction comes to here, a key that is there already for example, is no answer
 * to it.
 */
class HomeThatWentTest {
    private static final int PARTITIONS = 2;
    private static final Committed TOLD = new Committed(TransactionResponse.Kind.VALUE, 1, new byte[0]);

    private static final NodeId SELF = new NodeId(0);

    private final SteppedDatabase database = SteppedDatabase.leader(PARTITIONS, SELF);
    private final List<TransactionResponse> responses = new ArrayList<>();

    /** A request that fails, up to where it was taken in. */
    private void begin() {
        SteppedDatabase.createBank(database.database, database::settle);
        database.change(SteppedDatabase.procedure("Gift", false));
        database.open(5, 1, 2);
        database.database.submit(SteppedDatabase.numbered(7, 1, "Gift", 1L, 5L), SteppedDatabase.sink(responses));
        for (int site = 0; site < PARTITIONS; site++) {
            database.turn(site);
        }
        assertThat(responses).isEmpty();
    }

    private void atEach(boolean isRemembered) {
        for (int number = 0; number < PARTITIONS; number++) {
            PartitionRuntime runtime = database.database.runtime(new PartitionId(number));
            runtime.partition().inbox().put((PartitionTask) partition -> {
                runtime.deposed();
                if (isRemembered) {
                    runtime.remember(7, 1, TOLD);
                }
            });
        }
        database.settle();
    }

    @Test
    void whatTheOtherNodeMadeOfTheRequestIsTheAnswer() {
        begin();
        atEach(true);
        assertThat(responses).containsExactly(TOLD);
    }

    @Test
    void whereNobodyKnowsWhetherItDidTheOutcomeIsUnknown() {
        begin();
        atEach(false);
        assertThat(responses).hasSize(1);
        assertThat(SteppedDatabase.code(responses.getFirst())).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void otherwiseTheFailureIs(int times) {
        begin();
        database.settle();
        for (int i = 1; i < times; i++) {
            database.database.submit(SteppedDatabase.numbered(7, 1, "Gift", 1L, 5L), SteppedDatabase.sink(responses));
            database.settle();
        }
        assertThat(responses)
                .hasSize(times)
                .allMatch(response -> SteppedDatabase.code(response) == ErrorCode.UNIQUE_VIOLATION);
    }
}
