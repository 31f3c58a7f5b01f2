package dev.fulmar.coordinator.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.request.LastNumbers;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class HeldAnswersTest {
    private final HeldAnswers held = new HeldAnswers(2);
    private final List<String> answered = new ArrayList<>();
    private final LastNumbers numbers = new LastNumbers();
    private long requests;

    private final ResponseSink client = new ResponseSink() {
        @Override
        public void respond(TransactionRequest request, TransactionResponse response) {
            long value = response instanceof Committed committed ? committed.value() : -1;
            answered.add(request.requestId() + ": " + value);
        }

        @Override
        public LastNumbers lastNumbers() {
            return numbers;
        }
    };

    private Asked send(String sql) {
        return held.of(new TransactionRequest.AdHoc(1, ++requests, 0, sql, new byte[2]), client);
    }

    private static void answer(Asked asked, long value) {
        answer(asked, value, 0);
    }

    private static void answer(Asked asked, long value, int bytes) {
        asked.sink().respond(asked.request(), new Committed(Kind.VALUE, value, new byte[bytes]));
    }

    private static LastNumbers numbers(Asked asked) {
        return Objects.requireNonNull(asked.sink().lastNumbers());
    }

    /** Its client may wait for it. */
    @Test
    void anAnswerLeavesAtOnceUnlessTheCommitHasCome() {
        answer(send("SELECT 1"), 7);

        assertThat(answered).containsExactly("1: 7");
        assertThat(held.mayRunAgain()).isFalse();
        answer(send("COMMIT"), 8);
        assertThat(answered).containsExactly("1: 7", "2: 8");
    }

    @Test
    void answersStayUntilThatOfTheCommit() {
        Asked first = send("SELECT 1");
        Asked second = send("SELECT 2");
        Asked commit = send("  commit work ");
        answer(first, 7);
        answer(second, 8);

        assertThat(answered).isEmpty();
        assertThat(held.mayRunAgain()).isTrue();
        answer(commit, 9);
        assertThat(answered).containsExactly("1: 7", "2: 8", "3: 9");
        assertThat(held.mayRunAgain()).isFalse();
    }

    @Test
    void aStatementBehindTheCommitIsWaitedForByItsClient() {
        Asked first = send("SELECT 1");
        send("COMMIT");
        send("SELECT 2");
        answer(first, 7);

        assertThat(answered).containsExactly("1: 7");
    }

    @Test
    void otherAnswersTakeThePlaceOfThose() {
        Asked first = send("SELECT 1");
        Asked commit = send("COMMIT");
        answer(first, 7);
        List<Asked> again = held.runAgain(() -> answer(commit, -5));

        assertThat(answered).as("nothing has left").isEmpty();
        assertThat(again).containsExactly(first, commit);
        answer(first, 8);
        answer(commit, 9);
        assertThat(answered).containsExactly("1: 8", "2: 9");
    }

    @Test
    void itRunsAgainNoMoreOftenThanIsSaid() {
        send("SELECT 1");
        assertThat(held.mayRunAgain()).isTrue();
        held.runAgain(() -> {});
        assertThat(held.mayRunAgain()).isTrue();
        held.runAgain(() -> {});
        assertThat(held.mayRunAgain()).isFalse();
    }

    @Test
    void manyBytesLeave() {
        Asked first = send("SELECT 1");
        Asked second = send("SELECT 2");
        send("COMMIT");
        answer(first, 7, 60 << 10);
        assertThat(answered).isEmpty();
        answer(second, 8, 60 << 10);

        assertThat(answered).containsExactly("1: 7", "2: 8");
        assertThat(held.mayRunAgain()).isFalse();
    }

    @Test
    void manyRequestsAreNotKept() {
        Asked first = send("SELECT 1");
        for (int i = 0; i < 1_000; i++) {
            send("SELECT 2");
        }
        assertThat(held.mayRunAgain()).isFalse();
        send("COMMIT");
        answer(first, 7);
        assertThat(answered).containsExactly("1: 7");
    }

    /** Numbers of a run are as if they had not been drawn, unless its answers have left. */
    @Test
    void numbersOfARunThatDoesNotCountAreForgotten() {
        numbers.note(1, "", 5);
        Asked first = send("SELECT nextval('s')");
        Asked commit = send("COMMIT");
        numbers(first).note(1, "", 6);
        numbers(first).note(2, "", 60);
        assertThat(numbers(first).current(1)).isEqualTo(6);
        assertThat(numbers.current(1)).as("of the connection").isEqualTo(5);
        held.runAgain(() -> {});

        assertThat(numbers(first).current(1)).isEqualTo(5);
        assertThat(numbers(first).last(name -> true)).isEqualTo(5);
        assertThatThrownBy(() -> numbers(first).current(2))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SEQUENCE_NOT_DRAWN));
        numbers(first).note(1, "", 7);
        answer(first, 7);
        assertThat(numbers.current(1)).isEqualTo(5);
        answer(commit, 0);
        assertThat(numbers.current(1)).isEqualTo(7);
        assertThat(numbers.last(name -> true)).isEqualTo(7);
        assertThat(numbers(first)).as("the connection's from now on").isSameAs(numbers);
    }
}
