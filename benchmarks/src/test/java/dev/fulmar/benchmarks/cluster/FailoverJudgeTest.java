package dev.fulmar.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.experiment.ControlStalls;
import dev.fulmar.benchmarks.experiment.ControlStalls.Stall;
import dev.fulmar.benchmarks.experiment.Findings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FailoverJudgeTest {
    private static final int VICTIM = 1;
    private static final int OTHER = 2;
    private static final int LED = 0;
    private static final int FOLLOWED = 3;
    private static final int UNTOUCHED = 5;
    private static final long MILLI = 1_000_000;
    private static final long FAULT = -500 * MILLI; // the clock of a machine may be negative
    private static final ControlStalls STEADY = new ControlStalls(List.of());

    private final List<Answer> answers = new ArrayList<>();

    private void answer(int node, int partition, long sentMillis, long answeredMillis) {
        answers.add(new Answer(node, partition, FAULT + sentMillis * MILLI, FAULT + answeredMillis * MILLI));
    }

    private void steadyElsewhere(int untilMillis) {
        for (int at = -10; at < untilMillis; at += 10) {
            answer(OTHER, UNTOUCHED, at, at + 5);
        }
    }

    private Outage outage(long endMillis) {
        return new Outage(
                VICTIM,
                FAULT,
                FAULT + 2 * MILLI,
                FAULT + endMillis * MILLI,
                Set.of(LED),
                Set.of(FOLLOWED),
                Set.of(UNTOUCHED),
                answers);
    }

    private Findings judge(Outage outage, ControlStalls stalls) {
        FailoverJudge judge = new FailoverJudge();
        judge.killed(outage);
        judge.silenced(outage);
        Findings findings = new Findings("failover", true, "sync");
        judge.report(findings, new FailoverJudge.Planned(1, 1, 0), stalls);
        return findings;
    }

    private static List<String> failed(Findings findings) {
        return findings.checks().stream()
                .filter(check -> !check.passed())
                .map(Findings.Check::name)
                .toList();
    }

    @Test
    void quickFailOverPasses() {
        answer(OTHER, LED, 350, 400);
        answer(OTHER, FOLLOWED, 250, 300);
        steadyElsewhere(1_000);

        assertThat(failed(judge(outage(1_000), STEADY))).isEmpty();
    }

    @Test
    void callsThatWereSentBeforeTheFaultDoNotCount() {
        answer(OTHER, LED, -1, 1);
        answer(OTHER, LED, 1, 3); // the fault may have come after it was sent
        answer(OTHER, LED, 800, 900);

        assertThat(outage(1_000).firstCommitNanos(LED)).hasValue(900 * MILLI);
        assertThat(outage(1_000).isOver()).isFalse();
    }

    @Test
    void slowFailOverFails() {
        answer(OTHER, LED, 1_500, 1_600);
        answer(OTHER, FOLLOWED, 500, 600);
        steadyElsewhere(3_000);

        assertThat(failed(judge(outage(3_000), STEADY)))
                .containsExactly("failover.kill-p50 (led)", "failover.kill-p50 (followed)", "failover.kill-p99 (led)");
    }

    @Test
    void aPartitionThatNeverCommitsFails() {
        answer(OTHER, FOLLOWED, 250, 300);
        steadyElsewhere(20_000);

        assertThat(failed(judge(outage(20_000), STEADY)))
                .contains("failover.kill-p99 (led)", "failover.silence-p99 (led)")
                .doesNotContain("failover.silence-p99 (followed)");
    }

    @Test
    void aPauseElsewhereFailsUnlessTheMachineStoodStill() {
        answer(OTHER, LED, 350, 400);
        answer(OTHER, FOLLOWED, 250, 300);
        steadyElsewhere(300);
        answer(VICTIM, UNTOUCHED, 350, 355); // clients of the victim suffer with it, and say nothing of the partition
        answer(OTHER, UNTOUCHED, 440, 445);
        for (int at = 440; at < 1_000; at += 10) {
            answer(OTHER, UNTOUCHED, at, at + 5);
        }
        Outage outage = outage(1_000);
        ControlStalls stood = new ControlStalls(List.of(new Stall(0, FAULT + 300 * MILLI, 100 * MILLI)));

        assertThat(failed(judge(outage, STEADY))).containsExactly("failover.pause-of-others");
        assertThat(failed(judge(outage, stood))).isEmpty();
    }

    @Test
    void aPauseThatDoesNotEndCounts() {
        steadyElsewhere(300);

        assertThat(outage(1_000).gaps()).hasSize(1).first().satisfies(gap -> {
            assertThat(gap.partition()).isEqualTo(UNTOUCHED);
            assertThat(gap.durationNanos()).isGreaterThanOrEqualTo(700 * MILLI);
        });
    }

    @Test
    void trialsThatWereLeftOutFail() {
        FailoverJudge judge = new FailoverJudge();
        answer(OTHER, LED, 350, 400);
        answer(OTHER, FOLLOWED, 250, 300);
        steadyElsewhere(1_000);
        judge.killed(outage(1_000));
        judge.silenced(outage(1_000));
        Findings findings = new Findings("failover", true, "sync");
        judge.report(findings, new FailoverJudge.Planned(2, 1, 0), STEADY);

        assertThat(failed(findings)).containsExactly("failover.trials (kills)");
    }

    @Test
    void anOrderlyStopIsToCostNoPauseWhereTheNodeLedOrFollowed() {
        for (int at = -10; at < 1_000; at += 10) {
            answer(OTHER, FOLLOWED, at, at + 5);
            if (at < 300 || at > 400) {
                answer(OTHER, LED, at, at + 5);
            }
        }
        assertThat(failedStops(outage(1_000))).isEmpty();

        answers.removeIf(answer -> answer.partition() == FOLLOWED
                && answer.sentNanos() > FAULT + 500 * MILLI
                && answer.sentNanos() < FAULT + 700 * MILLI);
        assertThat(failedStops(outage(1_000))).containsExactly("failover.stop-pause");
    }

    private static List<String> failedStops(Outage outage) {
        FailoverJudge judge = new FailoverJudge();
        judge.stopped(outage);
        Findings findings = new Findings("failover", true, "sync");
        judge.report(findings, new FailoverJudge.Planned(1, 1, 1), STEADY);
        return failed(findings).stream().filter(name -> name.contains("stop")).toList();
    }

    @Test
    void percentilesAreValuesThatOccurred() {
        assertThat(Percentile.of(List.of(3.0, 1.0, 2.0), 50)).isEqualTo(2);
        assertThat(Percentile.of(List.of(3.0, 1.0, 2.0), 99)).isEqualTo(3);
        assertThat(Percentile.of(List.of(), 99)).isNaN();
    }

    @Test
    void countersTellWhatWasLostAndWhatWasDoneTwice() {
        List<String> problems = new ArrayList<>();
        CounterLoad.problemOf(0, 10, 2, 10, problems);
        CounterLoad.problemOf(1, 10, 2, 12, problems);
        assertThat(problems).isEmpty();

        CounterLoad.problemOf(2, 10, 2, 9, problems);
        CounterLoad.problemOf(3, 10, 2, 13, problems);
        assertThat(problems).hasSize(2);
    }
}
