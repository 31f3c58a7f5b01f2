package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers of partitions to the question what became of a COMMIT, and those of the node that changes the catalog. */
class OutcomeQuestionTest {
    private static final Failed NEVER = new Failed(ErrorCode.SERIALIZATION_FAILURE, "the catalog knows of none");

    private final TransactionRequest.Script question = TransactionRequest.Script.question(new TransactionRequest.AdHoc(
            7, 3, 0, ReadConsistency.DECLARED, "COMMIT", SteppedDatabase.list(), Caller.TRUSTED));
    private final List<TransactionResponse> answers = new ArrayList<>();
    private int asked;

    private TransactionResponse heard(TransactionResponse ofPartitions) {
        new OutcomeQuestion(question, SteppedDatabase.sink(answers), (script, sink) -> {
                    asked++;
                    sink.respond(script, NEVER);
                })
                .respond(question, ofPartitions);
        assertThat(answers).hasSize(1);
        return answers.getFirst();
    }

    @Test
    void theCatalogIsAskedWherePartitionsKnowOfNone() {
        assertThat(heard(new Failed(ErrorCode.SERIALIZATION_FAILURE, "never"))).isSameAs(NEVER);
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void whatPartitionsHaveCommittedIsCommitted() {
        assertThat(heard(Committed.DONE)).isSameAs(Committed.DONE);
        assertThat(asked).isZero();
    }

    /** The transaction may have committed rows, of which the catalog knows nothing. */
    @ParameterizedTest
    @EnumSource(names = {"OUTCOME_UNKNOWN", "NODE_LOST", "TIMEOUT", "NOT_CONNECTED", "STORAGE_FAILURE", "INTERNAL"})
    void whatPartitionsCannotTellTheCatalogDoesNotTellEither(ErrorCode code) {
        Failed unknown = new Failed(code, "nobody could tell");
        assertThat(heard(unknown)).isSameAs(unknown);
        assertThat(asked).isZero();
    }
}
