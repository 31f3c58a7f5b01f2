package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.request.TransactionRequest.AdHoc;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.PortalReader;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Statements of a node that are refused for now. */
class PatientStatementsTest {
    private static final AdHoc STATEMENT = new AdHoc(7, 1, 0, "SELECT 1", SteppedDatabase.list());
    private static final Failed OLD = new Failed(ErrorCode.SNAPSHOT_TOO_OLD, "a table was created meanwhile");

    private final ManualScheduler time = new ManualScheduler();
    private final Deque<TransactionResponse> responses = new ArrayDeque<>();
    private final List<TransactionResponse> answers = new ArrayList<>();

    private final OwnStatements ways = new OwnStatements() {
        @Override
        public void run(AdHoc statement, Consumer<TransactionResponse> then) {
            then.accept(responses.size() > 1 ? responses.remove() : responses.element());
        }

        @Override
        public FetchedParts.Source read(AdHoc query, PortalReader.Listener listener) {
            throw new AssertionError(query.sql());
        }

        @Override
        public void change(AdHoc statement, ChangeHandle handle, Consumer<TransactionResponse> then) {
            then.accept(OLD);
        }
    };

    private boolean isCancelled;

    private final PatientStatements patient =
            new PatientStatements(ways, time, time, time.monotonicNanos() + 1_000_000_000, () -> isCancelled);

    @Test
    void theyRunAgainUntilTheySucceed() {
        responses.addAll(List.of(OLD, OLD, Answers.CHANGED));
        patient.run(STATEMENT, answers::add);
        assertThat(answers).isEmpty();
        time.advance(100_000_000);
        assertThat(answers).containsExactly(Answers.CHANGED);
    }

    @Test
    void theRefusalIsTheAnswerWhenTheTimeIsOver() {
        responses.add(OLD);
        patient.run(STATEMENT, answers::add);
        time.advance(900_000_000);
        assertThat(answers).isEmpty();
        time.advance(200_000_000);
        assertThat(answers).containsExactly(OLD);
    }

    @Test
    void aCancelledOneIsNotRunAgain() {
        responses.add(OLD);
        patient.run(STATEMENT, answers::add);
        isCancelled = true;
        time.advance(100_000_000);
        assertThat(answers)
                .singleElement()
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.CANCELLED));
    }

    @Test
    void whatTakesBackRunsAgainThoughItIsLateAndCancelled() {
        responses.addAll(List.of(OLD, OLD, Answers.CHANGED));
        time.advance(2_000_000_000);
        isCancelled = true;
        patient.takingBack().run(STATEMENT, answers::add);
        time.advance(100_000_000);
        assertThat(answers).containsExactly(Answers.CHANGED);
    }

    @Test
    void otherFailuresAndThoseOfChangesAreAnsweredAtOnce() {
        Failed broken = new Failed(ErrorCode.UNIQUE_VIOLATION, "two of them");
        responses.add(broken);
        patient.run(STATEMENT, answers::add);
        patient.change(STATEMENT, ChangeHandle.NONE, answers::add);
        assertThat(answers).containsExactly(broken, OLD);
    }
}
