package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.foundation.check.Invariants;
import org.jspecify.annotations.Nullable;

/** Skips rows, and stops its input after enough of them. */
final class LimitProducer implements Producer {
    private final RowLimit limit;
    private final RowBudget budget;
    private final Consumer next;
    private @Nullable Producer input;
    private long toSkip;
    private long toFetch;
    private boolean wantsMore;

    LimitProducer(RowLimit limit, RowBudget budget, Consumer next) {
        this.limit = limit;
        this.budget = budget;
        this.next = next;
    }

    void setInput(Producer newInput) {
        input = newInput;
    }

    @Override
    public boolean run(Frame frame) {
        Producer rows = input;
        if (rows == null) {
            throw Invariants.breach("a limit has an input");
        }
        toSkip = limit.skipped(frame);
        toFetch = limit.fetched(frame);
        wantsMore = true;
        if (toFetch > 0) {
            rows.run(frame);
        }
        return wantsMore && !budget.isPaused();
    }

    @Override
    public boolean resume(Frame frame) {
        Producer rows = input;
        if (rows != null) {
            rows.resume(frame);
        }
        return wantsMore && !budget.isPaused();
    }

    /** The consumer of the input's rows. */
    Consumer limiter() {
        return new Limiter();
    }

    private final class Limiter implements Consumer {
        @Override
        public boolean accept(Frame frame) {
            if (toSkip > 0) {
                toSkip--;
                return true;
            }
            toFetch--;
            if (Invariants.EXPENSIVE) {
                Invariants.check(toFetch >= 0, "an operator passes no row on after its consumer wanted no more");
            }
            wantsMore = next.accept(frame);
            return wantsMore && toFetch > 0;
        }

        @Override
        public boolean resume(Frame frame) {
            wantsMore = next.resume(frame);
            return wantsMore && toFetch > 0;
        }
    }
}
