package dev.fulmar.benchmarks.logictest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Reading, comparing and counting records. */
class LogicTrialTest {
    private static final String FILE = """
            # a comment
            hash-threshold 8

            statement ok
            CREATE TABLE tab(a INTEGER PRIMARY KEY, b VARCHAR(10), c DOUBLE)

            statement ok
            INSERT INTO tab VALUES (1, 'x', 1.5), (2, '', NULL), (3, 'y', 10)

            statement error
            INSERT INTO tab VALUES (1, 'x', 1)

            query ITR rowsort label-1
            SELECT a, b, c FROM tab
            ----
            1
            x
            1.500
            2
            (empty)
            NULL
            3
            y
            10.000

            query I nosort
            SELECT a FROM tab ORDER BY 1 DESC
            ----
            3 values hashing to 53c225db474ffb86c7e9459e87ebf56e

            skipif fulmar
            query I nosort
            SELECT 1
            ----
            2

            onlyif sqlite
            query I nosort
            SELECT 1
            ----
            2

            query I valuesort
            SELECT a FROM tab WHERE a IN ()
            ----

            query I nosort
            SELECT COUNT(*) FROM tab
            ----
            4

            halt

            query I nosort
            SELECT 1
            ----
            2
            """;

    @Test
    void aFileIsAskedAndCounted() {
        try (LogicTrial trial = new LogicTrial(2)) {
            for (int round = 0; round < 2; round++) {
                LogicTrial.Outcome outcome = trial.run(FILE.lines().toList());
                assertThat(outcome.passed()).as("%s", outcome.examples()).isEqualTo(5);
                assertThat(outcome.failed()).isEqualTo(1);
                assertThat(outcome.excluded()).containsOnlyKeys("empty-list").containsEntry("empty-list", 1);
                assertThat(outcome.examples()).hasSize(1).first().asString().contains("COUNT(*)");
                assertThat(outcome.records()).isEqualTo(7);
            }
        }
    }

    @Test
    void valuesAreWrittenAsTheirTypeWantsThem() {
        assertThat(LogicResult.text(2.7, 'I')).isEqualTo("2");
        assertThat(LogicResult.text(7L, 'R')).isEqualTo("7.000");
        assertThat(LogicResult.text("12abc", 'I')).isEqualTo("12");
        assertThat(LogicResult.text("abc", 'I')).isEqualTo("0");
        assertThat(LogicResult.text("a\nb", 'T')).isEqualTo("a@b");
        assertThat(LogicResult.text(null, 'T')).isEqualTo("NULL");
    }

    @Test
    void hashesAreOfAllValuesInOrder() {
        List<String> hashed = List.of("3 values hashing to 53c225db474ffb86c7e9459e87ebf56e");
        assertThat(LogicResult.matches(List.of("3", "1", "2"), hashed)).isFalse();
        assertThat(LogicResult.matches(List.of("3", "2"), hashed)).isFalse();
    }
}
