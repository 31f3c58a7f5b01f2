package dev.fulmar.simulator.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FlipJudgeTest {
    private static final String FILE = "data/log/segment-3";
    private static final FlipJudge.Place LAST = new FlipJudge.Place(FILE, 13_312, 900);
    private static final String UNHARMED = "recovery: the log was not closed in order; " + cutAt(FILE, 14_336);
    private static final String LAST_CUT = "recovery: the log was not closed in order; " + cutAt(FILE, 13_312);
    private static final String MISSING = "partition 0 has 256 of its 260 commits";

    private static String cutAt(String file, int offset) {
        return "cut in " + file + " at offset " + offset + ", where there is something";
    }

    private static FlipOutcome killed(int position, @Nullable String breach, boolean isPrefix, String reports) {
        return new FlipJudge(false, LAST, UNHARMED)
                .judge(new FlipJudge.Start(FILE, position, breach, isPrefix, List.of(), reports))
                .outcome();
    }

    private static FlipOutcome stopped(@Nullable String breach, String reports) {
        return new FlipJudge(true, LAST, "")
                .judge(new FlipJudge.Start(FILE, 13_400, breach, true, List.of(), reports))
                .outcome();
    }

    @Test
    void theLastGroupMayBeCutAfterAKill() {
        assertThat(killed(13_458, MISSING, true, LAST_CUT)).isEqualTo(FlipOutcome.TAIL_CUT);
        assertThat(killed(13_458, null, true, LAST_CUT)).isEqualTo(FlipOutcome.TAIL_CUT);
    }

    @Test
    void anEarlierGroupMayNotBeCut() {
        String earlier = "recovery: the log was not closed in order; " + cutAt(FILE, 12_800);
        String elsewhere = "recovery: the log was not closed in order; " + cutAt("data/log/segment-2", 13_312);

        assertThat(killed(12_900, MISSING, true, earlier)).isEqualTo(FlipOutcome.WRONG);
        assertThat(killed(12_900, null, true, earlier)).isEqualTo(FlipOutcome.WRONG);
        assertThat(killed(13_400, MISSING, true, elsewhere)).isEqualTo(FlipOutcome.WRONG);
    }

    @Test
    void anUnharmedGroupMayNotBeCut() {
        assertThat(killed(13_311, MISSING, true, LAST_CUT)).isEqualTo(FlipOutcome.WRONG);
        assertThat(killed(14_212, MISSING, true, LAST_CUT)).isEqualTo(FlipOutcome.WRONG);
    }

    @Test
    void whatIsCutMustBeReported() {
        assertThat(killed(13_458, MISSING, true, UNHARMED)).isEqualTo(FlipOutcome.WRONG);
        assertThat(killed(13_458, MISSING, true, "")).isEqualTo(FlipOutcome.WRONG);
    }

    @Test
    void nothingButATailMayBeMissing() {
        assertThat(killed(13_458, MISSING, false, LAST_CUT)).isEqualTo(FlipOutcome.WRONG);
    }

    @Test
    void aDirectoryThatWasStoppedLosesNothing() {
        assertThat(stopped(MISSING, LAST_CUT)).isEqualTo(FlipOutcome.WRONG);
        assertThat(stopped(null, LAST_CUT)).isEqualTo(FlipOutcome.TAIL_CUT);
    }

    @Test
    void aRepairNamesTheFile() {
        assertThat(killed(100, null, true, UNHARMED + " a slot in " + FILE + " is repaired"))
                .isEqualTo(FlipOutcome.REPAIRED);
        assertThat(stopped(null, "something is repaired")).isEqualTo(FlipOutcome.WRONG);
        assertThat(killed(100, null, true, UNHARMED)).isEqualTo(FlipOutcome.HARMLESS);
    }

    @Test
    void wrongDataIsWrong() {
        FlipJudge.Verdict verdict = new FlipJudge(true, LAST, "")
                .judge(new FlipJudge.Start(FILE, 100, null, true, List.of("an index lacks a row"), ""));

        assertThat(verdict.outcome()).isEqualTo(FlipOutcome.WRONG);
        assertThat(verdict.text()).contains("an index lacks a row");
    }
}
