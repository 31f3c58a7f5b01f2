package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.advisory.AdvisoryKey;
import dev.fulmar.coordinator.advisory.AdvisoryLocks;
import dev.fulmar.coordinator.advisory.LockAnswer;
import dev.fulmar.coordinator.advisory.LockWish;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Locks of which a test decides who has them, in one thread. */
final class FakeLocks implements AdvisoryLocks {
    /** The wishes of sessions, in order. */
    final List<String> asked = new ArrayList<>();

    /** Numbers of locks that other sessions have. */
    final Set<Long> taken = new TreeSet<>();

    /** Sessions that have locks, and are not over. */
    final Set<String> open = new TreeSet<>();

    private Consumer<LockAnswer> waiting = answer -> {};
    private int last;

    @Override
    public String begin() {
        String holder = "1_" + ++last;
        open.add(holder);
        return holder;
    }

    @Override
    public Runnable take(LockWish wish, Consumer<LockAnswer> then) {
        asked.add((wish.hasShared() ? "strengthen " : wish.isShared() ? "share " : "take ") + text(wish.key()));
        if (!taken.contains(wish.key().number())) {
            then.accept(new LockAnswer.Granted());
        } else if (wish.patienceNanos() == 0) {
            then.accept(new LockAnswer.Busy());
        } else {
            waiting = then;
        }
        return () -> then.accept(new LockAnswer.Refused(ErrorCode.CANCELLED, "canceled"));
    }

    /** The session that waits gets the lock. */
    void grant() {
        waiting.accept(new LockAnswer.Granted());
    }

    @Override
    public void giveBack(String holder, AdvisoryKey key, Runnable then) {
        asked.add("give back " + text(key));
        then.run();
    }

    @Override
    public void share(String holder, AdvisoryKey key, Runnable then) {
        asked.add("weaken " + text(key));
        then.run();
    }

    @Override
    public void end(String holder, Collection<AdvisoryKey> keys) {
        keys.forEach(key -> asked.add("give back " + text(key)));
        if (!open.remove(holder)) {
            throw new IllegalStateException(holder + " ends twice");
        }
    }

    private static String text(AdvisoryKey key) {
        return (key.isPair() ? "pair " : "") + key.number();
    }
}
