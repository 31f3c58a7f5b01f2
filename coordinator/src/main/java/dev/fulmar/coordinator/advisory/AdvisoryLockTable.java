package dev.fulmar.coordinator.advisory;

import dev.fulmar.coordinator.membership.detection.LostNodes;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.schedule.Scheduler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Advisory locks as rows of a table, which are stored, copied and moved as all rows are. A session that waits tries
 * again and again; one of the same node that gives the lock back lets it try at once. The tables are made for the first
 * lock. Thread-safe.
 */
public final class AdvisoryLockTable implements AdvisoryLocks {
    private static final long FIRST_PAUSE_NANOS = 20_000_000;
    private static final long LONGEST_PAUSE_NANOS = 200_000_000;

    /** Waits of many seconds only are worth a look for those who wait for each other. */
    private static final long DEADLOCK_NANOS = 1_000_000_000;

    /** So long a node that is not reached keeps its sessions' locks. Their changes need the locks' rows in any case. */
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private static final long RETRY_NANOS = 1_000_000_000;

    /** So long a session waits until what it gives back is given back; it is in any case, a little later. */
    private static final long GIVING_BACK_NANOS = 1_000_000_000;

    /** So long a statement is tried again that the database refuses for now. */
    private static final long TROUBLE_NANOS = 30_000_000_000L;

    private static final LockAnswer LATE =
            new LockAnswer.Refused(ErrorCode.LOCK_NOT_AVAILABLE, "canceling statement due to lock timeout");
    private static final LockAnswer CANCELLED =
            new LockAnswer.Refused(ErrorCode.CANCELLED, "canceling statement due to user request");
    private static final LockAnswer DEADLOCKED = new LockAnswer.Refused(
            ErrorCode.DEADLOCK, "deadlock detected; sessions that take several advisory locks take them in one order");
    private static final LockAnswer LOST = new LockAnswer.Refused(
            ErrorCode.SERIALIZATION_FAILURE,
            "the session has lost the advisory lock, which it shared, to another one; connect again");

    private final AtomicReference<Program> current;
    private final NodeServices services;
    private final RandomSource random;
    private final Predicate<NodeId> isReached;
    private final LostNodes lost;
    private final BiConsumer<String, Consumer<TransactionResponse>> statements;
    private final AtomicBoolean stopped;
    private final LockQueues queues = new LockQueues(FIRST_PAUSE_NANOS, LONGEST_PAUSE_NANOS);
    private final ReentrantLock drawing = new ReentrantLock();
    private final Set<String> open = new ConcurrentSkipListSet<>();
    private final AtomicBoolean hasCleared = new AtomicBoolean();

    /** The newest number of a take. */
    private final AtomicLong takes = new AtomicLong();

    /**
     * @param isReached whether a node is reached now
     * @param statements runs one, and hands its answer on, on whatever thread
     * @param stopped whether the database takes no more requests
     */
    public AdvisoryLockTable(
            AtomicReference<Program> current,
            NodeServices services,
            Predicate<NodeId> isReached,
            BiConsumer<String, Consumer<TransactionResponse>> statements,
            AtomicBoolean stopped) {
        this.current = current;
        this.services = services;
        this.random = services.random().split("advisory locks");
        this.isReached = isReached;
        this.lost = new LostNodes(isReached, services.clock(), services.scheduler(), PATIENCE_NANOS);
        this.statements = statements;
        this.stopped = stopped;
    }

    @Override
    public String begin() {
        drawing.lock();
        try {
            String holder =
                    Holders.name(services.node().number(), services.clock().wallMicros(), random.nextLong());
            Invariants.check(open.add(holder), "no two sessions have locks under one name");
            return holder;
        } finally {
            drawing.unlock();
        }
    }

    @Override
    public Runnable take(LockWish wish, Consumer<LockAnswer> then) {
        Invariants.check(open.contains(wish.holder()), "a session takes locks before it ends");
        LockClaim claim = new LockClaim(wish, then, services.clock().wallMicros());
        boolean mayTry = queues.enter(claim);
        if (wish.waits()) {
            later(claim.look, DEADLOCK_NANOS, () -> lookForDeadlock(claim));
        }
        if (wish.waits() && wish.patienceNanos() != LockWish.FOR_EVER) {
            later(claim.end, wish.patienceNanos(), () -> giveUp(claim, LATE));
        }
        if (mayTry) {
            attempt(claim);
        }
        return () -> giveUp(claim, CANCELLED);
    }

    private void later(AtomicReference<Scheduler.@Nullable Timer> place, long nanos, Runnable task) {
        LockClaim.set(place, services.scheduler().schedule(nanos, task));
    }

    private void giveUp(LockClaim claim, LockAnswer answer) {
        if (queues.giveUp(claim, answer)) {
            finish(claim, answer);
        }
    }

    private void attempt(LockClaim claim) {
        if (!queues.beginTry(claim)) {
            return;
        }
        LockClaim.set(claim.retry, null);
        if (current.get().catalog().tables().containsKey(LockStatements.USED)) {
            insert(claim);
        } else {
            make(claim, LockStatements.creation().iterator());
        }
    }

    private void make(LockClaim claim, Iterator<String> left) {
        statements.accept(left.next(), response -> {
            if (response instanceof Failed failed) {
                failed(claim, failed);
            } else if (left.hasNext()) {
                make(claim, left);
            } else {
                insert(claim);
            }
        });
    }

    private void insert(LockClaim claim) {
        claim.take = takes.incrementAndGet();
        statements.accept(LockStatements.taking(claim.wish, claim.take), response -> attempted(claim, response));
    }

    private void attempted(LockClaim claim, TransactionResponse response) {
        switch (response) {
            case Committed committed when committed.value() > 0 -> finish(claim, new LockAnswer.Granted());
            case Committed _ -> {
                claim.troubleNanos = null;
                lookAtHolders(claim);
            }
            case Failed failed
            when failed.code() == ErrorCode.UNIQUE_VIOLATION -> // of a take of unknown outcome
                statements.accept(
                        LockStatements.givingBack(claim.wish.holder(), claim.wish.key(), claim.take - 1),
                        removed -> afterwards(claim, removed, () -> goOn(claim, 0)));
            case Failed failed -> failed(claim, failed);
        }
    }

    private void afterwards(LockClaim claim, TransactionResponse response, Runnable then) {
        if (response instanceof Failed failed) {
            failed(claim, failed);
        } else {
            then.run();
        }
    }

    /** A refusal for now is no answer. A take of unknown outcome is taken back, and another one follows. */
    private void failed(LockClaim claim, Failed failed) {
        boolean isUnknown = failed.code().category() == ErrorCode.Category.INTERNAL;
        boolean isPassing = isUnknown
                || failed.code().category() == ErrorCode.Category.RETRYABLE
                || failed.code() == ErrorCode.UNKNOWN_OBJECT
                || failed.code() == ErrorCode.OBJECT_EXISTS;
        if (isUnknown && claim.take > 0) {
            remove(undoing(claim), () -> {});
        }
        long now = services.clock().monotonicNanos();
        Long since = claim.troubleNanos;
        claim.troubleNanos = since == null ? Long.valueOf(now) : since;
        boolean isLong = since != null && now - since >= TROUBLE_NANOS;
        if (isPassing && !isLong && !stopped.get()) {
            goOn(claim, isUnknown ? LONGEST_PAUSE_NANOS : FIRST_PAUSE_NANOS);
        } else {
            finish(claim, new LockAnswer.Refused(failed.code(), failed.message()));
        }
    }

    private static List<String> undoing(LockClaim claim) {
        LockWish wish = claim.wish;
        return List.of(
                wish.hasShared()
                        ? LockStatements.sharing(wish.holder(), wish.key(), claim.take)
                        : LockStatements.givingBack(wish.holder(), wish.key(), claim.take));
    }

    /** Others have it: those that are over lose it. */
    private void lookAtHolders(LockClaim claim) {
        statements.accept(LockStatements.holders(claim.wish.key()), response -> {
            if (response instanceof Failed failed) {
                failed(claim, failed);
                return;
            }
            List<String> holders = names((Committed) response);
            List<String> gone = holders.stream().filter(this::isGone).toList();
            if (claim.wish.hasShared() && !holders.contains(claim.wish.holder())) {
                finish(claim, LOST);
            } else if (gone.isEmpty()) {
                wait(claim);
            } else {
                takeAway(claim, gone.iterator());
            }
        });
    }

    private void takeAway(LockClaim claim, Iterator<String> gone) {
        if (gone.hasNext()) {
            statements.accept(
                    LockStatements.takingAway(gone.next(), claim.wish.key()),
                    response -> afterwards(claim, response, () -> takeAway(claim, gone)));
        } else {
            goOn(claim, 0);
        }
    }

    private boolean isGone(String holder) {
        int node = Holders.node(holder);
        return node == services.node().number() ? !open.contains(holder) : node == Holders.NO_NODE || lost.isLost(node);
    }

    /** Whether a session is there to give its locks back, as far as is known now. */
    private boolean isThere(String holder) {
        int node = Holders.node(holder);
        return node == services.node().number()
                ? open.contains(holder)
                : node != Holders.NO_NODE && isReached.test(new NodeId(node));
    }

    private static List<String> names(Committed committed) {
        ResultBlock block = new ResultBlock().wrap(committed.results(), 0, committed.results().length);
        List<String> names = new ArrayList<>();
        while (block.next()) {
            names.add(String.valueOf(block.string(0)));
        }
        return names;
    }

    private void wait(LockClaim claim) {
        switch (queues.endTry(claim, claim.wish.waits() ? null : new LockAnswer.Busy())) {
            case LockQueues.Next.Pause(long nanos) -> later(claim.retry, nanos, () -> attempt(claim));
            case LockQueues.Next.End(LockAnswer answer) -> finish(claim, answer);
        }
    }

    /** Tries again soon, also for one that does not wait for others. */
    private void goOn(LockClaim claim, long pauseNanos) {
        switch (queues.endTry(claim, null)) {
            case LockQueues.Next.Pause _ -> later(claim.retry, pauseNanos, () -> attempt(claim));
            case LockQueues.Next.End(LockAnswer answer) -> finish(claim, answer);
        }
    }

    private void finish(LockClaim claim, LockAnswer answer) {
        LockClaim next = queues.leave(claim);
        claim.cancelTimers();
        if (claim.isShown) {
            remove(List.of(LockStatements.waitingNoMore(claim.wish)), () -> {});
        }
        if (answer instanceof LockAnswer.Granted && !open.contains(claim.wish.holder())) {
            giveBack(claim.wish.holder(), claim.wish.key(), () -> {});
        }
        claim.then.accept(answer);
        if (next != null) {
            attempt(next);
        }
    }

    // Sessions that wait for each other.

    private void lookForDeadlock(LockClaim claim) {
        if (stopped.get() || !queues.show(claim)) {
            return;
        }
        statements.accept(LockStatements.waiting(claim.wish, claim.sinceMicros), _ -> {
            if (queues.isOver(claim)) {
                remove(List.of(LockStatements.waitingNoMore(claim.wish)), () -> {});
            } else {
                statements.accept(LockStatements.all(), response -> looked(claim, response));
            }
        });
    }

    private void looked(LockClaim claim, TransactionResponse response) {
        boolean isVictim = response instanceof Committed committed
                && LockGraph.of(committed.results(), this::isThere)
                        .victim(claim.wish.holder())
                        .filter(claim.wish.holder()::equals)
                        .isPresent();
        if (isVictim) {
            giveUp(claim, DEADLOCKED);
        } else if (!queues.isOver(claim)) {
            later(claim.look, DEADLOCK_NANOS, () -> lookForDeadlock(claim));
        }
    }

    // Giving back.

    @Override
    public void giveBack(String holder, AdvisoryKey key, Runnable then) {
        remove(List.of(LockStatements.givingBack(holder, key, takes.incrementAndGet())), () -> {
            wake(key);
            then.run();
        });
    }

    @Override
    public void share(String holder, AdvisoryKey key, Runnable then) {
        remove(List.of(LockStatements.sharing(holder, key, takes.incrementAndGet())), () -> {
            wake(key);
            then.run();
        });
    }

    @Override
    public void end(String holder, Collection<AdvisoryKey> keys) {
        Invariants.check(open.remove(holder), "a session gives its locks back once");
        keys.forEach(key -> giveBack(holder, key, () -> {}));
    }

    private void wake(AdvisoryKey key) {
        LockClaim first = queues.wake(key);
        if (first != null) {
            attempt(first);
        }
    }

    /** Runs statements that must have their effect, however long that takes; without tables they have it. */
    private void remove(List<String> texts, Runnable then) {
        remove(texts, then, services.clock().monotonicNanos() + GIVING_BACK_NANOS);
    }

    /** @param latestNanos when {@code then} runs at the latest, if the database answers */
    private void remove(List<String> texts, Runnable then, long latestNanos) {
        if (texts.isEmpty()) {
            then.run();
            return;
        }
        statements.accept(texts.getFirst(), response -> {
            boolean isDone = response instanceof Committed
                    || (response instanceof Failed failed && failed.code() == ErrorCode.UNKNOWN_OBJECT);
            if (isDone) {
                remove(texts.subList(1, texts.size()), then, latestNanos);
                return;
            }
            boolean isBusy = response instanceof Failed(ErrorCode code, String _, var _)
                    && code.category() == ErrorCode.Category.RETRYABLE;
            boolean waits = isBusy && !stopped.get() && services.clock().monotonicNanos() < latestNanos;
            if (!waits) {
                then.run();
            }
            if (!stopped.get()) {
                Runnable left = waits ? then : () -> {};
                services.scheduler()
                        .schedule(isBusy ? FIRST_PAUSE_NANOS : RETRY_NANOS, () -> remove(texts, left, latestNanos));
            }
        });
    }

    /** Another version of the catalog is used from now on; with the first one come locks of the node's earlier life. */
    public void use(Program program) {
        boolean hasTables = program.catalog().tables().containsKey(LockStatements.USED);
        if (hasTables && !stopped.get() && hasCleared.compareAndSet(false, true)) {
            services.scheduler().schedule(RETRY_NANOS, this::clear);
        }
    }

    private void clear() {
        if (stopped.get()) {
            return;
        }
        statements.accept(LockStatements.allHolders(), response -> {
            if (response instanceof Committed committed) {
                List<String> left = names(committed).stream()
                        .filter(holder ->
                                Holders.node(holder) == services.node().number() && !open.contains(holder))
                        .flatMap(holder -> LockStatements.ending(holder).stream())
                        .toList();
                remove(left, () -> queues.awaited().forEach(this::wake));
            } else {
                services.scheduler().schedule(RETRY_NANOS, this::clear);
            }
        });
    }
}
