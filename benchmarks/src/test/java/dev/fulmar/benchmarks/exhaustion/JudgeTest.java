package dev.fulmar.benchmarks.exhaustion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JudgeTest {
    private static final long BEGIN = -1_000; // the clock of a machine may be negative
    private static final long LIMIT = Judge.LIMIT.toMillis();
    private static final OptionalInt ALIVE = OptionalInt.empty();
    private static final OptionalInt BROKEN = OptionalInt.of(70);

    private final Judge judge = judge(false);

    private static Judge judge(boolean isAlone) {
        return new Judge(2, isAlone, Set.of(0), Set.of(70), BEGIN);
    }

    private static Optional<Judge.Kind> kind(Optional<Judge.Outcome> outcome) {
        return outcome.map(Judge.Outcome::kind);
    }

    private void allCommit(long millis) {
        judge.committed(0, millis);
        judge.committed(1, millis);
    }

    @Test
    void aNodeMayRefuseAsLongAsTheShortageLasts() {
        assertThat(judge.look(BEGIN, ALIVE, false, () -> false)).isEmpty();
        assertThat(judge.look(BEGIN + 10 * LIMIT, ALIVE, false, () -> false)).isEmpty();
    }

    @Test
    void aNodeThatSaysThatItIsReadyCommits() {
        for (long at = BEGIN; at <= BEGIN + 3 * LIMIT; at += 100) {
            judge.committed(0, at);
            assertThat(judge.look(at, ALIVE, true, () -> true)).isEmpty();
        }
        assertThat(judge.look(BEGIN + 4 * LIMIT, ALIVE, true, () -> true))
                .as("of partition 1, which another node leads, there was no commit all the time")
                .isEmpty();
        assertThat(kind(judge.look(BEGIN + 4 * LIMIT + 1, ALIVE, true, () -> true)))
                .contains(Judge.Kind.HALF_ALIVE);
    }

    @Test
    void theTimeCountsFromWhenItSaidSo() {
        assertThat(judge.look(BEGIN + 2 * LIMIT, ALIVE, false, () -> true)).isEmpty();
        assertThat(judge.look(BEGIN + 2 * LIMIT + 1, ALIVE, true, () -> true)).isEmpty();
        assertThat(judge.look(BEGIN + 3 * LIMIT + 1, ALIVE, true, () -> true)).isEmpty();
        assertThat(kind(judge.look(BEGIN + 3 * LIMIT + 2, ALIVE, true, () -> true)))
                .contains(Judge.Kind.HALF_ALIVE);
    }

    @Test
    void aNodeServesOnceAllPartitionsCommitItIsReadyAndANewClientIsAnswered() {
        judge.released(BEGIN);
        allCommit(BEGIN);
        assertThat(judge.look(BEGIN + 1, ALIVE, true, () -> true))
                .as("asked before")
                .isEmpty();
        allCommit(BEGIN + 1);
        assertThat(judge.look(BEGIN + 2, ALIVE, false, () -> true)).isEmpty();
        assertThat(judge.look(BEGIN + 3, ALIVE, true, () -> false)).isEmpty();
        assertThat(judge.look(BEGIN + 4, ALIVE, true, () -> true))
                .contains(new Judge.Outcome(Judge.Kind.SERVES, 4, "serves"));
    }

    @Test
    void aNodeThatDoesNotServeAfterwardsIsHalfAlive() {
        judge.released(BEGIN);
        judge.committed(1, BEGIN + 1);
        assertThat(judge.look(BEGIN + LIMIT, ALIVE, false, () -> true)).isEmpty();
        assertThat(kind(judge.look(BEGIN + LIMIT + 1, ALIVE, false, () -> true)))
                .contains(Judge.Kind.HALF_ALIVE);
    }

    @Test
    void aNodeMayEndIfTheOthersServeWhatItLed() {
        allCommit(BEGIN + 10);
        assertThat(judge.look(BEGIN + 10, BROKEN, false, () -> false)).isEmpty();
        judge.committed(1, BEGIN + 11);
        assertThat(judge.look(BEGIN + 12, BROKEN, false, () -> false)).isEmpty();
        judge.committed(0, BEGIN + 13);
        assertThat(judge.look(BEGIN + 14, BROKEN, false, () -> false))
                .contains(new Judge.Outcome(Judge.Kind.ENDED, 4, "status 70"));
    }

    @Test
    void partitionsThatNobodyServesAreABreach() {
        assertThat(judge.look(BEGIN, BROKEN, false, () -> false)).isEmpty();
        assertThat(kind(judge.look(BEGIN + LIMIT + 1, BROKEN, false, () -> false)))
                .contains(Judge.Kind.HALF_ALIVE);
    }

    @Test
    void aNodeThatIsAloneMayEnd() {
        assertThat(kind(judge(true).look(BEGIN, BROKEN, false, () -> false))).contains(Judge.Kind.ENDED);
    }

    @Test
    void theStatusMustBeRight() {
        assertThat(kind(judge(true).look(BEGIN, OptionalInt.of(74), false, () -> false)))
                .contains(Judge.Kind.WRONG_STATUS);
    }

    @Test
    void aRowHasTheLastVersionThatWasAcknowledgedOrALaterOne() {
        assertThat(BulkWriter.problemOf(1, 5, 7, 5)).isEmpty();
        assertThat(BulkWriter.problemOf(1, 5, 7, 7)).isEmpty();
        assertThat(BulkWriter.problemOf(1, 5, 7, 4)).hasSize(1);
        assertThat(BulkWriter.problemOf(1, 5, 7, 8)).hasSize(1);
    }
}
