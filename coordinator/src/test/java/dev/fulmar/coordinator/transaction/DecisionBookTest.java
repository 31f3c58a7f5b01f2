package dev.fulmar.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A decision stays as long as somebody can ask for it, even where a clock that went back made its transaction's id come
 * twice.
 */
class DecisionBookTest {
    private static final TransactionId TWICE = new TransactionId(1_000, 7);
    private static final TransactionId ONCE = new TransactionId(1_001, 7);

    private final DecisionBook book = new DecisionBook();

    private static KeptDecision decision(TransactionId transaction, int attempt) {
        return new KeptDecision(transaction, attempt, 2_000, new PartitionId(0), List.of(new PartitionId(1)));
    }

    @Test
    void oneThatIsSettledIsNamedOnce() {
        book.put(decision(ONCE, 3));
        book.settle(new DecidedAttempt(ONCE, 3));
        assertThat(book.all()).isEmpty();
        assertThat(book.takeSettled(5)).containsExactly(ONCE);
        assertThat(book.takeSettled(5)).isEmpty();
    }

    @Test
    void anotherAttemptUnderTheSameIdStays() {
        book.put(decision(TWICE, 3));
        book.put(decision(TWICE, 500));
        book.settle(new DecidedAttempt(TWICE, 500));
        assertThat(book.all()).containsExactly(decision(TWICE, 3));
        assertThat(book.takeSettled(5)).as("the log would forget both").isEmpty();
        book.settle(new DecidedAttempt(TWICE, 3));
        assertThat(book.takeSettled(5)).containsExactly(TWICE);
    }

    @Test
    void oneThatComesBeforeTheLogIsToldIsNotForgottenWithTheEarlierOne() {
        book.put(decision(TWICE, 3));
        book.settle(new DecidedAttempt(TWICE, 3));
        book.put(decision(TWICE, 500));
        assertThat(book.takeSettled(5)).isEmpty();
        book.settle(new DecidedAttempt(TWICE, 500));
        assertThat(book.takeSettled(5)).containsExactly(TWICE);
    }

    @Test
    void theLogSettlesAllUnderAnId() {
        book.put(decision(TWICE, 3));
        book.put(decision(TWICE, 500));
        book.put(decision(ONCE, 3));
        book.remove(TWICE);
        assertThat(book.all()).containsExactly(decision(ONCE, 3));
    }

    @Test
    void moreThanOneDecisionTakesWaitForTheNext() {
        book.put(decision(TWICE, 3));
        book.put(decision(ONCE, 3));
        book.settle(new DecidedAttempt(TWICE, 3));
        book.settle(new DecidedAttempt(ONCE, 3));
        assertThat(book.takeSettled(1)).containsExactly(TWICE);
        assertThat(book.takeSettled(1)).containsExactly(ONCE);
    }
}
