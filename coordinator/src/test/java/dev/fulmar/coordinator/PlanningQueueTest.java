package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fulmar.coordinator.planning.PlannerThreads;
import dev.fulmar.coordinator.planning.PlanningClaim;
import dev.fulmar.coordinator.planning.PlanningQueue;
import dev.fulmar.engine.spi.PlanningTurn;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who is planned when, and what becomes of those whose turn does not come in time. */
class PlanningQueueTest {
    private static final int CAPACITY = 8;
    private static final int LONG = 100_000;
    private static final long SECOND = 1_000_000_000;

    private final ManualScheduler time = new ManualScheduler();
    private final Threads threads = new Threads();
    private final PlanningQueue queue = new PlanningQueue(threads, time, time, CAPACITY);
    private final List<String> planned = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private final Set<String> cancelled = new HashSet<>();

    /** Threads that begin when the test says so. */
    private static final class Threads implements PlannerThreads {
        private final Deque<Planning> begun = new ArrayDeque<>();
        private int count = 1;
        private int stops;
        private int asked;

        @Override
        public int count() {
            return count;
        }

        @Override
        public void execute(Planning planning) {
            begun.add(planning);
        }

        @Override
        public boolean goesOn() {
            asked++;
            return asked > stops;
        }

        void runAll() {
            while (!begun.isEmpty()) {
                begun.remove().run();
            }
        }
    }

    private record Claim(String name, long deadline, Set<String> cancelled) implements PlanningClaim {
        /** Names begin with their session's letter. */
        @Override
        public Object session() {
            return name.charAt(0);
        }

        @Override
        public boolean isLate(long nowNanos) {
            return nowNanos >= deadline;
        }

        @Override
        public @Nullable FulmarException abandoned() {
            return cancelled.contains(name) ? new FulmarException(ErrorCode.CANCELLED, "cancelled") : null;
        }
    }

    private void submit(String name, int characters, long timeoutNanos) {
        submit(name, characters, timeoutNanos, () -> planned.add(name));
    }

    private void submit(String name, int characters, long timeoutNanos, Runnable planning) {
        queue.submit(
                new Claim(name, time.monotonicNanos() + timeoutNanos, cancelled),
                characters,
                planning,
                why -> refused.add(name + " " + why.code()));
    }

    @Test
    void sessionsTakeTurns() {
        for (String name : List.of("a1", "a2", "a3", "b1", "c1", "b2")) {
            submit(name, 10, SECOND);
        }
        threads.runAll();
        assertThat(planned).containsExactly("a1", "a2", "a3", "b1", "c1", "b2"); // one thread: as they came
        planned.clear();
        threads.count = 2;
        submit("a1", LONG, SECOND);
        submit("a2", 10, SECOND);
        submit("b1", 10, SECOND);
        assertThat(threads.begun).as("a session has one under way").hasSize(2);
        threads.begun.removeLast().run();
        assertThat(planned).containsExactly("b1");
        threads.runAll();
        assertThat(planned).containsExactly("b1", "a1", "a2");
    }

    @Test
    void shortOnesGoBeforeLongOnesButNotForEver() {
        submit("a1", LONG, 10 * SECOND);
        submit("b1", LONG, 10 * SECOND);
        submit("c1", 10, 10 * SECOND);
        threads.begun.remove().run();
        threads.begun.remove().run();
        assertThat(planned).containsExactly("a1", "c1");
        submit("d1", LONG, 10 * SECOND);
        time.advance(2 * SECOND);
        submit("e1", 10, 10 * SECOND);
        threads.runAll();
        assertThat(planned).containsExactly("a1", "c1", "b1", "d1", "e1");
    }

    @Test
    void whoseTimeIsOverHearsOfItWhileHeWaits() {
        submit("a1", 10, 10 * SECOND);
        submit("b1", 10, SECOND);
        submit("c1", 10, 10 * SECOND);
        submit("d1", 10, 10 * SECOND);
        time.advance(SECOND / 2);
        cancelled.add("c1");
        time.advance(SECOND / 10);
        assertThat(refused).containsExactly("c1 CANCELLED");
        time.advance(SECOND / 2);
        assertThat(refused).containsExactly("c1 CANCELLED", "b1 TIMEOUT");
        threads.runAll();
        assertThat(planned).containsExactly("a1", "d1");
        assertThat(queue.figures().planned()).isEqualTo(2);
        assertThat(queue.figures().refused()).isEqualTo(2);
        time.advance(SECOND);
        assertThat(time.taskCount())
                .as("nothing is looked at where nothing waits")
                .isZero();
    }

    @Test
    void aPlanningMeetsTheEndOfItsTimeAndMeetsItAgain() {
        List<ErrorCode> met = new ArrayList<>();
        submit("a1", 10, SECOND, () -> {
            PlanningTurn.goOn();
            time.advance(2 * SECOND);
            for (int i = 0; i < 2; i++) {
                met.add(catchThrowableOfType(FulmarException.class, PlanningTurn::goOn)
                        .code());
            }
        });
        threads.runAll();
        assertThat(met).containsExactly(ErrorCode.TIMEOUT, ErrorCode.TIMEOUT);
        assertThat(queue.figures().refused()).isOne();
        PlanningTurn.goOn(); // what is not planned in a turn has no end
    }

    @Test
    void aPlanningThatMayNotGoOnMeetsTheEndOfItsTime() {
        threads.stops = 3;
        submit("a1", 10, SECOND, () -> {
            PlanningTurn.goOn();
            planned.add("a1");
        });
        threads.runAll();
        assertThat(planned).containsExactly("a1");
        assertThat(threads.asked).as("it asks until it may").isEqualTo(4);
        List<ErrorCode> met = new ArrayList<>();
        threads.stops = Integer.MAX_VALUE;
        submit("b1", 10, SECOND, () -> {
            time.advance(2 * SECOND);
            met.add(catchThrowableOfType(FulmarException.class, PlanningTurn::goOn)
                    .code());
        });
        threads.runAll();
        assertThat(met).containsExactly(ErrorCode.TIMEOUT);
    }

    @Test
    void aPlanningEndsWithItsClient() {
        List<ErrorCode> met = new ArrayList<>();
        submit("a1", 10, SECOND, () -> {
            cancelled.add("a1");
            met.add(catchThrowableOfType(FulmarException.class, PlanningTurn::goOn)
                    .code());
        });
        threads.runAll();
        assertThat(met).containsExactly(ErrorCode.CANCELLED);
    }

    @Test
    void theQueueHasABoundAndNobodyFillsItAlone() {
        for (int i = 0; i < 5; i++) {
            submit("a" + i, LONG, SECOND); // one begins, a quarter waits
        }
        assertThat(refused).containsExactly("a3 SERVER_BUSY", "a4 SERVER_BUSY");
        refused.clear();
        for (String name : List.of("b1", "c1", "d1", "e1", "f1", "g1", "h1")) {
            submit(name, 10, SECOND);
        }
        assertThat(refused).containsExactly("h1 SERVER_BUSY");
        queue.submitSurely(
                new Claim("i1", Long.MAX_VALUE, cancelled), () -> planned.add("i1"), why -> refused.add("i1"));
        threads.runAll();
        assertThat(planned).hasSize(10).contains("i1", "a0", "a2");
    }

    @Test
    void aPlanningThatBreaksLeavesItsPlaceToOthers() {
        submit("a1", 10, SECOND, () -> {
            throw new IllegalStateException("a defect");
        });
        submit("b1", 10, SECOND);
        assertThatThrownBy(threads::runAll).isInstanceOf(IllegalStateException.class);
        threads.runAll();
        assertThat(planned).containsExactly("b1");
    }
}
