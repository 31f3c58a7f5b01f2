package dev.fulmar.node.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.health.ProbeRound;
import dev.fulmar.coordinator.health.ProbeRound.State;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReadinessTest {
    private static final PartitionId FIRST = new PartitionId(0);
    private static final PartitionId SECOND = new PartitionId(1);

    private final HandClock clock = new HandClock();
    private final List<ProbeRound> rounds = new ArrayList<>();
    private Optional<String> obstacle = Optional.empty();
    private Optional<String> idleObstacle = Optional.empty();
    private List<String> otherProblems = List.of();
    private Set<PartitionId> led = Set.of();
    private final Readiness readiness = new Readiness(this::begin, new Standing(), clock);

    /** As the test says. */
    private final class Standing implements Readiness.Circumstances {
        @Override
        public Optional<String> obstacle() {
            return obstacle;
        }

        @Override
        public List<String> problems(boolean leads) {
            return leads ? otherProblems : idleObstacle.stream().toList();
        }

        @Override
        public boolean leads(PartitionId partition) {
            return led.contains(partition);
        }
    }

    private ProbeRound begin() {
        ProbeRound round = new ProbeRound(2);
        rounds.add(round);
        return round;
    }

    private void answer(PartitionId partition, State state) {
        rounds.getLast().answered(partition, state, null);
    }

    private void answer(State state) {
        answer(FIRST, state);
        answer(SECOND, state);
    }

    @Test
    void itIsReadyWhenATransactionCommitsOnEachPartitionThatItLeads() {
        CompletableFuture<Verdict> asked = readiness.ask();
        answer(FIRST, State.COMMITS);
        assertThat(asked).isNotDone();
        answer(SECOND, State.LED_ELSEWHERE);
        assertThat(asked.join().isGood()).isTrue();
    }

    @Test
    void allWhoAskWithinASecondShareOneRound() {
        CompletableFuture<Verdict> first = readiness.ask();
        answer(State.COMMITS);
        for (int i = 0; i < 1_000; i++) {
            clock.advance(900_000);
            assertThat(readiness.isReady()).isTrue();
        }
        assertThat(rounds).hasSize(1);
        clock.advance(Readiness.APART_NANOS);
        CompletableFuture<Verdict> second = readiness.ask();
        assertThat(rounds).hasSize(2);
        answer(State.COMMITS);
        assertThat(first.join().isGood()).isTrue();
        assertThat(second.join().isGood()).isTrue();
    }

    /** The round before says nothing of it, and counts as one of a node that leads nothing. */
    @Test
    void aPartitionThatTheNodeHasBegunToLeadIsAskedAtOnce() {
        idleObstacle = Optional.of("no connection");
        CompletableFuture<Verdict> before = readiness.ask();
        answer(State.LED_ELSEWHERE);
        assertThat(before.join().problems()).containsExactly("no connection");
        assertThat(readiness.isReady()).isFalse();
        assertThat(rounds).hasSize(1);
        led = Set.of(SECOND);
        CompletableFuture<Verdict> asked = readiness.ask();
        assertThat(rounds).hasSize(2);
        answer(FIRST, State.LED_ELSEWHERE);
        answer(SECOND, State.COMMITS);
        assertThat(asked.join().isGood()).isTrue();
        assertThat(readiness.isReady()).isTrue();
        assertThat(rounds).as("it has been asked").hasSize(2);
    }

    @Test
    void aPartitionThatHangsIsNamedAndAskedOnce() {
        CompletableFuture<Verdict> first = readiness.ask();
        assertThat(first).isNotDone();
        answer(FIRST, State.COMMITS);
        clock.advance(Readiness.LIMIT_NANOS + 100_000_000);
        for (int i = 0; i < 100; i++) {
            assertThat(readiness.ask().join().problems()).containsExactly("partition P1 has not answered for 2.1 s");
        }
        assertThat(rounds).as("no other round while one waits").hasSize(1);
        answer(SECOND, State.COMMITS);
        CompletableFuture<Verdict> again = readiness.ask();
        answer(State.COMMITS);
        assertThat(again.join().isGood()).isTrue();
    }

    @Test
    void aPartitionThatFailsSaysWhy() {
        CompletableFuture<Verdict> asked = readiness.ask();
        answer(FIRST, State.COMMITS);
        rounds.getLast()
                .answered(SECOND, State.FAILED, new FulmarException(ErrorCode.OUTCOME_UNKNOWN, "nobody leads it"));
        assertThat(asked.join().problems()).containsExactly("partition P1: nobody leads it");
    }

    @Test
    void aNodeThatLeadsNothingMustBeOfUseOtherwise() {
        CompletableFuture<Verdict> asked = readiness.ask();
        answer(State.LED_ELSEWHERE);
        assertThat(asked.join().isGood()).isTrue();
        idleObstacle = Optional.of("it knows nobody");
        assertThat(readiness.ask().join().problems()).containsExactly("it knows nobody");
    }

    @Test
    void whatElseIsWrongIsToldBesideThePartitions() {
        otherProblems = List.of("the log hangs");
        CompletableFuture<Verdict> asked = readiness.ask();
        answer(State.COMMITS);
        assertThat(asked.join().problems()).containsExactly("the log hangs");
        clock.advance(Readiness.APART_NANOS);
        CompletableFuture<Verdict> again = readiness.ask();
        answer(FIRST, State.COMMITS);
        rounds.getLast().answered(SECOND, State.FAILED, new FulmarException(ErrorCode.OUTCOME_UNKNOWN, "lost"));
        assertThat(again.join().problems()).containsExactly("partition P1: lost", "the log hangs");
    }

    @Test
    void whileTheNodeStartsOrStopsNobodyIsAsked() {
        obstacle = Optional.of("the node stops");
        assertThat(readiness.ask().join().problems()).containsExactly("the node stops");
        assertThat(rounds).isEmpty();
    }
}
