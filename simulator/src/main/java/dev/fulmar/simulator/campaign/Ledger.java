package dev.fulmar.simulator.campaign;

import dev.fulmar.simulator.workload.Wish;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Record in which the clients of a run note breaches, due answers and committed transfers, for the verdict on the final
 * state.
 */
public final class Ledger {
    private static final int MAX_VIOLATIONS = 20;

    private final List<String> violations = new ArrayList<>();
    private final Map<Long, Long> moved = new TreeMap<>();
    private boolean moneyUnsure;
    private int openWishes;
    private int dueAnswers;

    /** Notes a breach, unless there are many already. */
    public void violation(String text) {
        if (violations.size() < MAX_VIOLATIONS) {
            violations.add(text);
        }
    }

    /** Breaches so far. */
    public List<String> violations() {
        return violations;
    }

    void wishBegins() {
        openWishes++;
    }

    void wishEnds() {
        openWishes--;
    }

    void sent() {
        dueAnswers++;
    }

    void answered() {
        dueAnswers--;
    }

    /** Whether all wishes are done and every request was answered. */
    boolean isSettled() {
        return openWishes == 0 && dueAnswers == 0;
    }

    String openText() {
        return openWishes + " wishes are open, " + dueAnswers + " answers are due";
    }

    /** The wish is committed. */
    public void committed(Wish wish) {
        if (wish instanceof Wish.Transfer transfer) {
            moved.merge(transfer.from(), -transfer.amount(), Long::sum);
            moved.merge(transfer.to(), transfer.amount(), Long::sum);
        }
    }

    /** The wish may be committed. */
    public void unknown(Wish wish) {
        moneyUnsure |= wish instanceof Wish.Transfer;
    }

    /** Takes over what another one knows. */
    public void add(Ledger other) {
        other.violations.forEach(this::violation);
        other.moved.forEach((account, amount) -> moved.merge(account, amount, Long::sum));
        moneyUnsure |= other.moneyUnsure;
    }

    /** Whether it is known what each account has. */
    boolean isMoneyKnown() {
        return !moneyUnsure;
    }

    /** Money that the account won or lost. */
    long moved(long account) {
        return moved.getOrDefault(account, 0L);
    }
}
