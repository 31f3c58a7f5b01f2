package dev.fulmar.engine.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Partitions move between sites, which are stepped by the test or run by threads. */
class SiteMovesTest {
    private static final PartitionId FIRST = new PartitionId(0);
    private static final PartitionId SECOND = new PartitionId(1);

    private final PartitionFixture clock = new PartitionFixture();
    private final List<String> events = new ArrayList<>();
    private final List<Partition> partitions = List.of(partition(FIRST), partition(SECOND));
    private final ReplyBatch oldReplies = new ReplyBatch();
    private final ReplyBatch newReplies = new ReplyBatch();
    private final Site source = site(0, oldReplies, 0, 1);
    private final Site target = site(1, newReplies);
    private final AtomicInteger moved = new AtomicInteger();

    private Partition partition(PartitionId id) {
        return new Partition(id, new KeyValues(), clock, 1000);
    }

    private Site site(int number, ReplyBatch replies, int... its) {
        List<SitePartition> all = new ArrayList<>();
        for (int partition : its) {
            ReplyOutlet outlet = new ReplyOutlet(replies);
            all.add(new SitePartition(
                    new PartitionExecutor(
                            partitions.get(partition),
                            CommandLog.none(),
                            CommitGate.open(outlet),
                            LeadershipGuard.alwaysLeads(),
                            TurnListener.none()),
                    outlet));
        }
        return new Site(number, clock, (delayNanos, task) -> () -> {}, all, replies);
    }

    private void put(PartitionId partition, String event) {
        partitions.get(partition.number()).inbox().put((PartitionTask) itself -> events.add(event));
    }

    private void give(PartitionId partition) {
        source.give(partition, target, moved::incrementAndGet);
    }

    @Test
    void aPartitionMovesAndItsRequestsWithIt() {
        put(FIRST, "before");
        source.doWork();
        give(FIRST);
        put(FIRST, "on its way");
        source.doWork();
        assertThat(source.executors()).hasSize(1);
        assertThat(moved).hasValue(0);
        assertThat(events).containsExactly("before");
        target.doWork();
        assertThat(moved).hasValue(1);
        assertThat(events).containsExactly("before", "on its way");
        put(FIRST, "there");
        put(SECOND, "stayed");
        source.doWork();
        assertThat(events).endsWith("stayed");
        target.doWork();
        assertThat(events).endsWith("there");
    }

    @Test
    void repliesLeaveWithTheSiteThatRunsThePartition() {
        List<String> flushed = new ArrayList<>();
        give(FIRST);
        source.doWork();
        target.doWork();
        partitions.getFirst().inbox().put(new Answered(() -> flushed.add("flush")));
        target.doWork();
        assertThat(flushed).containsExactly("flush");
    }

    @Test
    void aPartitionStaysWhileCodeWaitsAtItsThread() {
        ThreadTies ties = partitions.getFirst().threadTies();
        assertThat(ties.tie()).isTrue();
        give(FIRST);
        source.doWork();
        target.doWork();
        assertThat(moved).hasValue(0);
        assertThat(source.executors()).hasSize(2);
        assertThat(source.mayTakeLong()).as("hosts go on running the site").isFalse();
        assertThat(ties.tie()).as("what begins now lives elsewhere").isFalse();
        ties.untie();
        source.doWork();
        target.doWork();
        assertThat(moved).hasValue(1);
        assertThat(ties.tie()).isTrue();
        ties.untie();
    }

    @Test
    void aPartitionStaysWhileATransactionHoldsIt() {
        partitions.getFirst().awaitDecision(true);
        give(FIRST);
        source.doWork();
        assertThat(source.executors()).hasSize(2);
        partitions.getFirst().awaitDecision(false);
        source.doWork();
        assertThat(source.executors()).hasSize(1);
    }

    /** A partition with work enough may be held at the beginning of each turn, and is free within them only. */
    @Test
    void aPartitionThatIsNeverFreeBetweenTurnsLeavesWithinOne() {
        Partition partition = partitions.getFirst();
        partition.awaitDecision(true);
        give(FIRST);
        source.doWork();
        source.doWork();
        assertThat(moved).hasValue(0);
        partition.inbox().put((PartitionTask) itself -> itself.awaitDecision(false));
        partition.inbox().put((PartitionTask) itself -> {
            events.add("held again");
            itself.awaitDecision(true);
        });
        source.doWork();
        assertThat(events).as("the turn ends where the partition is free").isEmpty();
        source.doWork();
        target.doWork();
        assertThat(moved).hasValue(1);
        assertThat(events).containsExactly("held again");
        partition.awaitDecision(false);
    }

    @Test
    void movesOfAPartitionHappenInTheirOrder() {
        Partition partition = partitions.getFirst();
        partition.awaitDecision(true);
        source.give(FIRST, target, () -> events.add("to the target"));
        source.doWork();
        target.give(FIRST, source, () -> events.add("and back"));
        source.give(FIRST, target, () -> events.add("and there again"));
        partition.awaitDecision(false);
        for (int turn = 0; turn < 4; turn++) {
            source.doWork();
            target.doWork();
        }
        assertThat(events).containsExactly("to the target", "and back", "and there again");
        assertThat(target.executors()).hasSize(1);
    }

    /** The partition was asked to stop where it is free, and left before it came to that. */
    @Test
    void aPartitionThatLeftBetweenTwoTurnsGoesOnWhereItIs() {
        partitions.getFirst().awaitDecision(true);
        give(FIRST);
        source.doWork();
        partitions.getFirst().awaitDecision(false);
        source.doWork();
        put(FIRST, "one");
        put(FIRST, "two");
        target.doWork();
        target.doWork();
        assertThat(events).containsExactly("one", "two");
    }

    @Test
    void wakersFollow() {
        AtomicInteger oldWakes = new AtomicInteger();
        AtomicInteger newWakes = new AtomicInteger();
        source.wakeWith(oldWakes::incrementAndGet);
        target.wakeWith(newWakes::incrementAndGet);
        give(FIRST);
        assertThat(oldWakes).hasValue(1);
        source.doWork();
        assertThat(newWakes).as("the other site learns of its partition").hasPositiveValue();
        target.doWork();
        oldWakes.set(0);
        newWakes.set(0);
        put(FIRST, "there");
        assertThat(newWakes).hasPositiveValue();
        assertThat(oldWakes).hasValue(0);
    }

    @Test
    void whatStaysHasMovedAtOnce() {
        source.give(FIRST, source, moved::incrementAndGet);
        source.doWork();
        assertThat(moved).hasValue(1);
        assertThat(source.executors()).hasSize(2);
    }

    @Test
    void aPartitionThatIsToGoOnBeforeItHasArrivedGoesOnThen() {
        give(FIRST);
        target.give(FIRST, source, moved::incrementAndGet);
        target.doWork();
        assertThat(moved).hasValue(0);
        source.doWork();
        target.doWork();
        target.doWork();
        source.doWork();
        assertThat(moved).hasValue(2);
        assertThat(source.executors()).hasSize(2);
        assertThat(target.executors()).isEmpty();
    }

    @Test
    void aPartitionOnItsWayToASiteThatEndsIsClosedOnce() {
        give(FIRST);
        source.doWork();
        target.onClose();
        assertThat(moved).hasValue(1);
        Answered late = new Answered(() -> {});
        partitions.getFirst().inbox().put(late);
        assertThat(late.isRefused).as("a partition that is closed refuses").isTrue();
        give(SECOND);
        source.doWork();
        assertThat(moved).hasValue(2);
        source.onClose();
        source.give(FIRST, target, moved::incrementAndGet);
        assertThat(moved).hasValue(3);
    }

    /** Two threads run the sites; a partition that goes to and fro is never run by both, and loses nothing. */
    @Test
    void noTwoThreadsRunAPartition() throws InterruptedException {
        int messages = 20_000;
        AtomicBoolean isInUse = new AtomicBoolean();
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicInteger clashes = new AtomicInteger();
        CountDownLatch handled = new CountDownLatch(messages);
        List<Thread> threads = List.of(runs(source, isOver), runs(target, isOver));
        PartitionTask task = itself -> {
            clashes.addAndGet(isInUse.compareAndSet(false, true) ? 0 : 1);
            Thread.onSpinWait();
            isInUse.set(false);
            handled.countDown();
        };
        AtomicInteger moves = new AtomicInteger();
        goToAndFro(source, target, isOver, moves);
        for (int i = 0; i < messages; i++) {
            partitions.getFirst().inbox().put(task);
        }
        assertThat(handled.await(60, TimeUnit.SECONDS)).isTrue();
        isOver.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(clashes).hasValue(0);
        assertThat(moves).hasPositiveValue();
    }

    private static void goToAndFro(Site here, Site there, AtomicBoolean isOver, AtomicInteger moves) {
        here.give(FIRST, there, () -> {
            moves.incrementAndGet();
            if (!isOver.get()) {
                goToAndFro(there, here, isOver, moves);
            }
        });
    }

    private static Thread runs(Site site, AtomicBoolean isOver) {
        return Thread.ofPlatform().start(() -> {
            while (!isOver.get()) {
                if (site.doWork() == 0) {
                    Thread.onSpinWait();
                }
            }
        });
    }

    /** Work that has a client. */
    private static final class Answered extends CommittingWork {
        private final Runnable flush;
        private boolean isRefused;

        Answered(Runnable flush) {
            this.flush = flush;
        }

        @Override
        public void refused(PartitionId partition) {
            isRefused = true;
        }

        @Override
        public void leave(ReplyBatch replies) {
            replies.replied(new ReplyTarget() {
                @Override
                public void flush() {
                    flush.run();
                }
            });
        }
    }
}
