package dev.fulmar.benchmarks.sqlcheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rounds run once each, and their counts outlive the process. */
class RoundsTest {
    private static final int STATEMENTS_OF_A_ROUND = 10;

    private final Queue<Long> seeds = new ConcurrentLinkedQueue<>();

    /** Counts statements, and remembers its seeds. */
    private final class Counting implements Rounds.Worker {
        @Override
        public void round(long seed, Tally tally, Consumer<String> output) {
            seeds.add(seed);
            for (int i = 0; i < STATEMENTS_OF_A_ROUND; i++) {
                tally.count(
                        "SELECT MAX( A) FROM T",
                        Answer.rows(List.of("1")),
                        new Judgement(Judgement.Kind.REFUSED, "no MAX of T" + i));
            }
            tally.difference("round " + seed);
        }

        @Override
        public void close() {}
    }

    private Tally run(int statements, Path progress) throws Exception {
        return Rounds.run(new Rounds.Extent(3, statements, 2, progress), number -> new Counting(), line -> {});
    }

    @Test
    void everyRoundIsRunOnceWhateverTheWorkers() throws Exception {
        Tally tally = Rounds.run(new Rounds.Extent(3, 100, 2, null), number -> new Counting(), line -> {});
        assertThat(seeds).doesNotHaveDuplicates().contains(3_000_000L, 3_000_009L);
        assertThat(tally.statements()).isBetween(100, 110);
        assertThat(tally.operators()).containsEntry("MAX(", tally.statements());
    }

    @Test
    void aCampaignGoesOnBehindTheRoundsThatAreDone(@TempDir Path directory) throws Exception {
        Path progress = directory.resolve("rounds");
        int before = run(50, progress).statements();
        Files.writeString(progress, Files.readString(progress) + "\n{\"seed\":3000");
        Tally tally = run(100, progress);
        assertThat(seeds).doesNotHaveDuplicates();
        assertThat(tally.statements()).isGreaterThanOrEqualTo(100).isEqualTo(seeds.size() * STATEMENTS_OF_A_ROUND);
        assertThat(tally.statements()).isGreaterThan(before);
        assertThat(tally.differences()).hasSize(seeds.size());
        assertThat(tally.refusals()).containsEntry("no MAX of _", tally.statements());
        assertThat(tally.refusalExamples()).hasSize(1);
    }

    @Test
    void aWorkerThatBreaksEndsTheCampaign() {
        Rounds.Worker broken = new Rounds.Worker() {
            @Override
            public void round(long seed, Tally tally, Consumer<String> output) {
                throw new IllegalStateException("broken");
            }

            @Override
            public void close() {}
        };
        assertThatThrownBy(() -> Rounds.run(new Rounds.Extent(3, 100, 2, null), number -> broken, line -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("broken");
    }
}
