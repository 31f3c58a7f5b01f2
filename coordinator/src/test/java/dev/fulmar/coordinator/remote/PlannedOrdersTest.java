package dev.fulmar.coordinator.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.ManualScheduler;
import dev.fulmar.coordinator.planning.PlannerThreads;
import dev.fulmar.coordinator.planning.PlanningQueue;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.transaction.FragmentSource;
import dev.fulmar.coordinator.transaction.TargetSource;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What another node orders reaches a partition in its order, and its texts are planned before. */
class PlannedOrdersTest {
    private static final int CAPACITY = 8;
    private static final PartKey PART = part(1);
    private static final PartKey OTHER = part(2);

    private final ManualScheduler time = new ManualScheduler();
    private final Threads threads = new Threads();
    private final Targets targets = new Targets();
    private final PlannedOrders orders =
            new PlannedOrders(targets, new PlanningQueue(threads, time, time, CAPACITY), Probes.NONE);
    private final List<String> passed = new ArrayList<>();

    /** Plannings begin when the test says so. */
    private static final class Threads implements PlannerThreads {
        private final Deque<Planning> begun = new ArrayDeque<>();

        @Override
        public int count() {
            return 1;
        }

        @Override
        public void execute(Planning planning) {
            begun.add(planning);
        }

        @Override
        public boolean goesOn() {
            return true;
        }

        void runNext() {
            begun.remove().run();
        }
    }

    /** No text is known, and none is a statement, so all are refused. */
    private static final class Targets implements TargetSource {
        private final List<String> asked = new ArrayList<>();
        private final Set<String> defects = new HashSet<>();

        @Override
        public @Nullable Prepared find(TransactionRequest request) {
            return null;
        }

        @Override
        public Prepared prepare(TransactionRequest request) {
            throw new IllegalStateException("a participant keeps the catalog of a refusal");
        }

        @Override
        public Planned plan(TransactionRequest request) {
            String text = ((TransactionRequest.AdHoc) request).sql();
            asked.add(text);
            if (defects.contains(text)) {
                throw new IllegalStateException(text);
            }
            return new Refused(new FulmarException(ErrorCode.SYNTAX, text), null);
        }
    }

    private static PartKey part(int transaction) {
        return PartKey.ofAnyAttempt(new TransactionId(transaction, 7), new PartitionId(3));
    }

    private static FragmentSource source(String text) {
        return new FragmentSource(5, true, text, 0, 0, false);
    }

    private void passText(PartKey part, String text) {
        orders.passPlanned(
                part,
                source(text),
                planned -> passed.add(
                        text + " " + (planned instanceof TargetSource.Refused(var why, var _) ? why.code() : planned)));
    }

    private void pass(PartKey part, String name) {
        orders.pass(part, () -> passed.add(name));
    }

    @Test
    void whatNeedsNoPlanIsPassedOnAtOnce() {
        pass(PART, "prepare");
        orders.passPlanned(
                PART, new FragmentSource(5, false, "Transfer", 0, 0, false), planned -> passed.add("call " + planned));
        orders.passPlanned(PART, null, planned -> passed.add("nothing " + planned));
        assertThat(passed).containsExactly("prepare", "call null", "nothing null");
        assertThat(threads.begun).isEmpty();
    }

    @Test
    void laterOrdersOfThePartWaitForTheTextAndNoOthers() {
        passText(PART, "a");
        pass(PART, "undo");
        passText(PART, "b");
        pass(PART, "prepare");
        pass(OTHER, "other");
        assertThat(targets.asked).as("planned by the caller's thread").isEmpty();
        assertThat(passed).containsExactly("other");
        threads.runNext();
        assertThat(passed).containsExactly("other", "a SYNTAX", "undo");
        threads.runNext();
        assertThat(passed).containsExactly("other", "a SYNTAX", "undo", "b SYNTAX", "prepare");
        pass(PART, "late");
        assertThat(passed).endsWith("late");
        assertThat(targets.asked).containsExactly("a", "b");
    }

    @Test
    void whatIsAbandonedIsNotPlannedButPassedOn() {
        passText(PART, "a");
        orders.abandon(OTHER);
        orders.abandon(PART);
        pass(PART, "release");
        threads.runNext();
        assertThat(targets.asked).isEmpty();
        assertThat(passed).containsExactly("a NOT_CONNECTED", "release");
    }

    /** Seed 3000000014: the client heard of an end that only the attempt before had met. */
    @Test
    void whatComesAfterIsPlanned() {
        passText(PART, "a");
        passText(PART, "b");
        orders.abandon(PART);
        pass(PART, "undo");
        passText(PART, "c");
        while (!threads.begun.isEmpty()) {
            threads.runNext();
        }
        assertThat(targets.asked).containsExactly("c");
        assertThat(passed).containsExactly("a NOT_CONNECTED", "b NOT_CONNECTED", "undo", "c SYNTAX");
    }

    @Test
    void aTextForWhichThereIsNoRoomIsRefused() {
        IntStream.rangeClosed(1, CAPACITY + 1).forEach(number -> passText(part(number), "waits"));
        passText(part(CAPACITY + 2), "a");
        assertThat(passed).containsExactly("a SERVER_BUSY");
        pass(part(CAPACITY + 2), "undo");
        assertThat(passed).containsExactly("a SERVER_BUSY", "undo");
    }

    @Test
    void aDefectIsAnsweredAndTheNextOrderIsPassedOn() {
        targets.defects.add("a");
        passText(PART, "a");
        pass(PART, "undo");
        threads.runNext();
        assertThat(passed).containsExactly("a INTERNAL", "undo");
    }
}
