package dev.fulmar.benchmarks.regression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.regression.Verdict.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class FileOutcomeTest {
    /** Messages of servers have any words. */
    @Test
    void aStatementIsWrongByItsJudgementAndNotByItsReason() {
        FileOutcome outcome = new FileOutcome(
                "date",
                List.of(
                        new Verdict(1, Kind.EQUAL, ""),
                        new Verdict(2, Kind.UNSUPPORTED, "22007: the wrong date"),
                        new Verdict(3, Kind.WRONG, "1 instead of 2")));

        assertThat(outcome.wrong()).containsExactly("3 wrong 1 instead of 2");
        assertThat(outcome.list()).containsExactly("2 unsupported 22007: the wrong date", "3 wrong 1 instead of 2");
    }
}
