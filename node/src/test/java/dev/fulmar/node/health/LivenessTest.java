package dev.fulmar.node.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class LivenessTest {
    private static final long LIMIT_NANOS = 10_000_000_000L;

    private final HandClock clock = new HandClock();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final Liveness liveness = new Liveness(clock, LIMIT_NANOS);

    private void watch() {
        liveness.watch(List.of(Heart.of("a loop", tasks::add)));
    }

    private void comesRound() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    @Test
    void aThreadThatSleptSinceLongAgoLives() {
        watch();
        clock.advance(100 * LIMIT_NANOS);
        assertThat(liveness.ask().isGood()).as("nobody had stirred it").isTrue();
        comesRound();
        clock.advance(100 * LIMIT_NANOS);
        assertThat(liveness.ask().isGood()).isTrue();
    }

    @Test
    void aThreadThatDoesNotComeRoundIsNamed() {
        watch();
        assertThat(liveness.ask().isGood()).isTrue();
        clock.advance(LIMIT_NANOS);
        assertThat(liveness.ask().isGood()).isTrue();
        clock.advance(2_000_000_000L);
        assertThat(liveness.ask().problems()).containsExactly("a loop has not come round for 12 s");
        assertThat(tasks).as("it is stirred once").hasSize(1);
        comesRound();
        assertThat(liveness.ask().isGood()).isTrue();
    }

    @Test
    void oneThatKeepsComingRoundLivesHoweverOftenItIsAsked() {
        watch();
        for (int i = 0; i < 100; i++) {
            assertThat(liveness.ask().isGood()).isTrue();
            clock.advance(LIMIT_NANOS - 1);
            comesRound();
        }
    }

    @Test
    void ofTheTimeInWhichNobodyAskedAShareCounts() {
        watch();
        assertThat(liveness.ask().isGood()).isTrue();
        clock.advance(1_000 * LIMIT_NANOS);
        assertThat(liveness.ask().isGood())
                .as("the process may have been suspended")
                .isTrue();
        clock.advance(Liveness.SHARE_NANOS);
        assertThat(liveness.ask().isGood()).isFalse();
    }

    @Test
    void aThreadThatIsToEndIsNotAskedAnyMore() {
        Heart heart = Heart.of("a loop", tasks::add);
        liveness.watch(heart);
        assertThat(liveness.ask().isGood()).isTrue();
        liveness.forget(heart);
        clock.advance(Liveness.SHARE_NANOS);
        clock.advance(2 * LIMIT_NANOS);
        assertThat(liveness.ask().isGood()).isTrue();
        clock.advance(2 * LIMIT_NANOS);
        assertThat(liveness.ask().isGood()).isTrue();
    }

    @Test
    void anEndingNodeIsNotStuck() {
        watch();
        liveness.ask();
        liveness.watchNoMore();
        clock.advance(2 * LIMIT_NANOS);
        assertThat(liveness.ask().isGood()).isTrue();
    }
}
