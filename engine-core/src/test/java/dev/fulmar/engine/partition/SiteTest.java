package dev.fulmar.engine.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SiteTest {
    private static final long SLICE_MICROS = 50;

    private final PartitionFixture clock = new PartitionFixture();
    private final ReplyBatch replies = new ReplyBatch();
    private final List<String> events = new ArrayList<>();
    private final ReplyTarget client = new ReplyTarget() {
        @Override
        public void flush() {
            events.add("flush");
        }
    };
    private final List<PartitionExecutor> executors = List.of(executor(0), executor(1), executor(2));
    private final List<Runnable> timers = new ArrayList<>();
    private final List<Long> delays = new ArrayList<>();
    private int wakeUps;
    private final Site site = new Site(
            0,
            clock,
            (delayNanos, task) -> {
                delays.add(delayNanos);
                timers.add(task);
                return () -> {};
            },
            executors.stream()
                    .map(executor -> new SitePartition(executor, new ReplyOutlet(replies)))
                    .toList(),
            replies);

    @Test
    void aTurnEndsWithEnoughReplies() {
        for (int i = 0; i < 100; i++) {
            put(0, true);
        }
        int first = site.doWork();
        assertThat(first).isBetween(1, 40);
        assertThat(events).hasSize(first + 1).endsWith("flush");
        int rest = 0;
        for (int handled = site.doWork(); handled > 0; handled = site.doWork()) {
            rest += handled;
        }
        assertThat(first + rest).isEqualTo(100);
    }

    @Test
    void aPartitionThatAlwaysHasWorkDoesNotKeepOthersFromTheirTurn() {
        for (int i = 0; i < 200; i++) {
            put(0, true);
            put(1, true);
        }
        put(2, true);
        site.doWork();
        site.doWork();
        assertThat(events).contains("2");
    }

    /**
     * The thread that reads requests from the network may be the one that runs the site: it would read none as long as
     * slice follows slice.
     */
    @Test
    void sliceAfterSliceIsLeftToAThreadThatServesNobodyElse() {
        executors.getFirst().partition().slices().add(() -> false);
        for (int i = 0; i < 3; i++) {
            assertThat(site.doWork()).isEqualTo(1);
            assertThat(site.mayTakeLong()).as("after " + i).isFalse();
        }
        assertThat(site.doWork()).isEqualTo(1);
        assertThat(site.mayTakeLong()).isTrue();
        put(1, true);
        site.doWork();
        assertThat(site.mayTakeLong()).isFalse();
    }

    @Test
    void workThatIsNotKnownToBeQuickIsAnnouncedUntilItIsTaken() {
        assertThat(site.mayTakeLong()).isFalse();
        put(1, true);
        assertThat(site.mayTakeLong()).isFalse();
        put(2, false);
        put(2, false);
        assertThat(site.mayTakeLong()).isTrue();
        site.doWork();
        assertThat(site.mayTakeLong()).isFalse();
        executors.getFirst().partition().inbox().put((PartitionTask) partition -> {});
        assertThat(site.mayTakeLong()).isTrue();
        site.doWork();
        assertThat(site.mayTakeLong()).isFalse();
    }

    private void read(int partition, int slices) {
        int[] left = {slices};
        executors.get(partition).partition().slices().add(() -> {
            events.add("slice " + partition);
            clock.nowMicros += SLICE_MICROS;
            return --left[0] == 0;
        });
    }

    @Test
    void readingFillsTheTimeOfASiteWithoutOtherWorkOnePartitionAfterTheOther() {
        read(0, 2);
        read(2, 2);
        for (int i = 0; i < 4; i++) {
            assertThat(site.doWork()).isOne();
        }
        assertThat(site.doWork()).isZero();
        assertThat(events).containsExactly("slice 0", "slice 2", "slice 0", "slice 2");
        assertThat(timers).isEmpty();
        assertThat(site.counters().sliceNanos.get()).isEqualTo(4 * SLICE_MICROS * 1000);
    }

    @Test
    void whatReadersOfSnapshotsAskForIsNoOtherWork() {
        executors.getFirst().partition().inbox().put((PartitionTask) partition -> {});
        read(0, 2);
        site.doWork();
        site.doWork();
        assertThat(events).containsExactly("slice 0", "slice 0");
    }

    @Test
    void besideOtherWorkReadingWaitsAndATimerBringsTheSiteBack() {
        put(1, true);
        site.wakeWith(() -> wakeUps++);
        read(0, 2);
        site.doWork();
        assertThat(events).containsExactly("1", "flush", "slice 0");
        assertThat(site.doWork()).isZero();
        assertThat(site.doWork()).isZero();
        assertThat(delays).containsExactly(SlicePace.QUIET_RATIO * SLICE_MICROS * 1000);
        clock.nowMicros += SlicePace.QUIET_RATIO * SLICE_MICROS;
        timers.removeFirst().run();
        assertThat(wakeUps).isOne();
        assertThat(site.doWork()).isOne();
        assertThat(events).containsExactly("1", "flush", "slice 0", "slice 0");
        assertThat(site.doWork()).isZero();
        assertThat(timers).isEmpty();
    }

    @Test
    void aTimerThatRangTooEarlyIsSetAnew() {
        put(1, true);
        read(0, 2);
        site.doWork();
        site.doWork();
        timers.removeFirst().run();
        assertThat(site.doWork()).isZero();
        assertThat(delays).hasSize(2);
        assertThat(timers).hasSize(1);
    }

    @Test
    void theSharesOfPartitionsAreOne() {
        put(1, true);
        read(0, 1);
        read(1, 1);
        site.doWork();
        assertThat(site.doWork()).isZero();
        assertThat(events).containsExactly("1", "flush", "slice 0");
    }

    private PartitionExecutor executor(int number) {
        Partition partition = new Partition(new PartitionId(number), new KeyValues(), clock, 1000);
        return new PartitionExecutor(
                partition,
                CommandLog.none(),
                CommitGate.open(new ReplyOutlet(replies)),
                LeadershipGuard.alwaysLeads(),
                TurnListener.none());
    }

    private void put(int partition, boolean isQuick) {
        executors.get(partition).partition().inbox().put(new Call(String.valueOf(partition), isQuick));
    }

    private final class Call extends CommittingWork {
        private final String name;
        private final boolean isQuick;

        Call(String name, boolean isQuick) {
            this.name = name;
            this.isQuick = isQuick;
        }

        @Override
        protected boolean mayTakeLong() {
            return !isQuick;
        }

        @Override
        public void leave(ReplyBatch batch) {
            events.add(name);
            batch.replied(client);
        }
    }
}
