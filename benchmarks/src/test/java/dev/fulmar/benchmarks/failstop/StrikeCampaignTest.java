package dev.fulmar.benchmarks.failstop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.benchmarks.experiment.Findings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that was ended goes on where it was, and forgets nothing that went wrong. */
class StrikeCampaignTest {
    private static final Outcome HALF_ALIVE = new Outcome(Outcome.Kind.HALF_ALIVE, 5_001, "alive, [0]");
    private static final Trial SITE = trial("site-0");
    private static final Trial TIMER = trial("timer");

    @TempDir
    private Path directory;

    private final FakeTarget target = new FakeTarget(Map.of("timer", HALF_ALIVE));

    private static Trial trial(String thread) {
        return new Trial(1, thread, Strike.OUT_OF_MEMORY);
    }

    private StrikeLedger ledger() throws IOException {
        return new StrikeLedger(directory, "code 1");
    }

    private StrikeCampaign campaign(BooleanSupplier isOver) throws IOException {
        return new StrikeCampaign(1, ledger(), isOver, line -> {});
    }

    private boolean run(StrikeCampaign campaign, Trial... trials) throws IOException, InterruptedException {
        return campaign.round(() -> target, living -> List.of(trials));
    }

    private static boolean isMet(Findings findings, String goal) {
        return findings.checks().stream()
                .filter(check -> check.name().equals(goal))
                .findFirst()
                .orElseThrow()
                .passed();
    }

    @Test
    void aStrikeThatIsDoneIsNotMadeAgainWhateverItsPlace() throws Exception {
        assertThat(run(campaign(() -> false), trial("a"), trial("b"))).isTrue();
        target.struck.clear();
        assertThat(run(campaign(() -> false), trial("new"), trial("b"), trial("a")))
                .isTrue();
        assertThat(target.struck).containsExactly("new");
    }

    @Test
    void anotherErrorAnotherSizeOfTheClusterAndOtherCodeAreStruckAnew() throws Exception {
        run(campaign(() -> false), trial("a"));
        StrikeLedger later = ledger();
        assertThat(later.isDone(trial("a"))).isTrue();
        assertThat(later.isDone(new Trial(3, "a", Strike.OUT_OF_MEMORY))).isFalse();
        assertThat(later.isDone(new Trial(1, "a", Strike.EXCEPTION))).isFalse();
        assertThat(new StrikeLedger(directory, "code 2").isDone(trial("a"))).isFalse();
    }

    @Test
    void aLaterRunFailsOnWhatAnEarlierOneFound() throws Exception {
        assertThat(run(campaign(() -> false), TIMER)).isFalse();
        StrikeCampaign later = campaign(() -> false);
        assertThat(run(later, TIMER, SITE)).isTrue();
        assertThat(target.struck).containsExactly("timer", "site-0");
        Findings findings = FailStop.judged(false, ledger(), later.planned(), later.left());
        assertThat(isMet(findings, "fail-stop.half-alive")).isFalse();
        assertThat(isMet(findings, "fail-stop.wrong-status")).isTrue();
        assertThat(isMet(findings, "fail-stop.struck")).isTrue();
    }

    @Test
    void strikesBeforeALossAreNotDoneAndTheLossIsKept() throws Exception {
        target.losses.add("counter 3 is 7, 8 were acknowledged");
        assertThat(run(campaign(() -> false), SITE)).isFalse();
        assertThat(ledger().isDone(SITE)).isFalse();
        target.losses.clear();
        assertThat(run(campaign(() -> false), SITE)).isTrue();
        assertThat(isMet(FailStop.judged(false, ledger(), Set.of(SITE), 0), "fail-stop.problems"))
                .isFalse();
    }

    @Test
    void aRunThatIsBrokenOffInARoundHasOnlyTheBadOutcomesDone() throws Exception {
        StrikeCampaign broken = campaign(() -> {
            if (target.struck.size() == 2) {
                throw new IllegalStateException("the machine was switched off");
            }
            return false;
        });
        assertThatThrownBy(() -> run(broken, SITE, TIMER, trial("a"))).hasMessageContaining("switched off");
        assertThat(ledger().struck().keySet()).containsExactly(TIMER);
    }

    @Test
    void noStrikeBeginsAfterTheTimeAndTheRunIsNotPassed() throws Exception {
        StrikeCampaign campaign = campaign(() -> target.struck.size() == 1);
        assertThat(run(campaign, SITE, trial("a"))).isTrue();
        assertThat(target.struck).containsExactly("site-0");
        assertThat(ledger().isDone(SITE)).isTrue();
        assertThat(campaign.left()).isEqualTo(1);
        Findings findings = FailStop.judged(false, ledger(), campaign.planned(), campaign.left());
        assertThat(isMet(findings, "fail-stop.left")).isFalse();
        assertThat(isMet(findings, "fail-stop.struck")).isFalse();
        assertThat(findings.passed()).isFalse();
    }

    @Test
    void aThreadThatIsNotThereIsTriedTwiceAndNotDone() throws Exception {
        StrikeCampaign campaign = campaign(() -> false);
        assertThat(run(campaign, trial("gone"))).isTrue();
        assertThat(target.struck).containsExactly("gone", "gone");
        assertThat(campaign.left()).isZero();
        assertThat(ledger().isDone(trial("gone"))).isFalse();
        assertThat(isMet(FailStop.judged(false, ledger(), campaign.planned(), 0), "fail-stop.struck"))
                .isFalse();
    }

    @Test
    void theNextRoundMakesWhatOneHadNoRoomFor() throws Exception {
        Trial[] many =
                IntStream.range(0, 30).mapToObj(number -> trial("t" + number)).toArray(Trial[]::new);
        StrikeCampaign campaign = campaign(() -> false);
        run(campaign, many);
        assertThat(campaign.left()).isPositive();
        run(campaign, many);
        assertThat(campaign.left()).isZero();
        assertThat(target.struck).hasSize(30).doesNotHaveDuplicates();
    }
}
