package dev.fulmar.reconfig.move;

import dev.fulmar.engine.partition.counter.LatencyHistogram;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.foundation.time.Clock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The pauses between chunks that this node wants, by the {@link LatencyBudget} of the reconfiguration. Tasks change it;
 * any thread reads it.
 */
final class Pace {
    /** Pause that sources make while this node listens, so that hardly a chunk comes meanwhile. */
    private static final long LISTENING_NANOS = 2_000_000_000;

    private final Supplier<LatencyHistogram> calls;
    private final Clock clock;
    private @Nullable LatencyBudget budget;
    private long budgetOf;
    private long nextLookNanos;
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
        delayNanos = known == null ? 0 : known.isListening() ? LISTENING_NANOS : known.delayNanos();
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
