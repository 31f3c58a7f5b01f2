package dev.fulmar.reconfig.move;

import dev.fulmar.engine.partition.counter.LatencyHistogram;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.foundation.time.Clock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The pauses between chunks that this node wants. They follow from the {@link LatencyBudget} of the reconfiguration,
 * and bound the share of a site's time that the staging of rows takes here. Tasks change it; any thread reads it.
 */
final class Pace {
    /** Pause that sources make while this node listens, so that hardly a chunk comes meanwhile. */
    private static final long LISTENING_NANOS = 2_000_000_000;

    /** Shorter pauses come from the steps of each chunk by themselves. */
    private static final long LEAST_STAGING_DELAY_NANOS = 4_000_000;

    private final Supplier<LatencyHistogram> calls;
    private final Clock clock;
    private @Nullable LatencyBudget budget;
    private long budgetOf;
    private long nextLookNanos;
    private final AtomicLong longestStaging = new AtomicLong();
    private long stagingDelayNanos;
    private volatile boolean mayMove = true;
    private volatile long delayNanos;

    /** @param calls times of all calls on this node so far */
    Pace(Supplier<LatencyHistogram> calls, Clock clock) {
        this.calls = calls;
        this.clock = clock;
    }

    /** Looks at the calls if it is time; often, while a reconfiguration runs. */
    void follow(PlanTarget target) {
        budget = followed(target);
        LatencyBudget known = budget;
        mayMove = known == null || !known.isListening();
        long budgetNanos = known == null ? 0 : known.isListening() ? LISTENING_NANOS : known.delayNanos();
        stagingDelayNanos = stagingDelayNanos(target);
        delayNanos = Math.max(budgetNanos, stagingDelayNanos);
    }

    /** A chunk was staged here, which took so long on the partition's thread. For any thread. */
    void staged(long nanos) {
        longestStaging.accumulateAndGet(nanos, Math::max);
    }

    /** In steps, so that sources elsewhere are told seldom. It gets shorter look by look. */
    private long stagingDelayNanos(PlanTarget target) {
        long longest = longestStaging.getAndSet(0);
        if (target.state() != PlanTarget.State.RUNNING) {
            return 0;
        }
        long wanted = SiteShare.restNanos(longest, target.pace().mostSharePercent());
        long stepped = wanted < LEAST_STAGING_DELAY_NANOS ? 0 : Long.highestOneBit(2 * wanted - 1);
        long shorter = stagingDelayNanos / 2 < LEAST_STAGING_DELAY_NANOS ? 0 : stagingDelayNanos / 2;
        return Math.max(stepped, shorter);
    }

    private @Nullable LatencyBudget followed(PlanTarget target) {
        if (!target.pace().isLimited() || target.state() != PlanTarget.State.RUNNING) {
            return null;
        }
        LatencyBudget known = budget;
        long now = clock.monotonicNanos();
        if (known == null || budgetOf != target.number()) {
            known = new LatencyBudget(target.pace().mostIncreasePercent(), calls.get());
            budgetOf = target.number();
        } else if (now - nextLookNanos < 0) {
            return known;
        } else {
            known.look(calls.get());
        }
        nextLookNanos = now + LatencyBudget.WINDOW_NANOS;
        return known;
    }

    /** Whether this node may move rows now. */
    boolean mayMove() {
        return mayMove;
    }

    /** The pause that calls on this node need, 0 for none; for sources elsewhere too. */
    long delayNanos() {
        return delayNanos;
    }
}
