package dev.fulmar.coordinator.statement;

import dev.fulmar.coordinator.routing.Reach;
import dev.fulmar.foundation.check.Invariants;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Chooses the statements of a session's transaction that run with its new ones. A write that was executed before need
 * not run if nothing that runs depends on what it changes: a COMMIT runs all, and compares their counts. What has shown
 * rows runs, for they must be the same at each statement. So a transaction of many writes takes as long for the last
 * one as for the first.
 */
public final class NeededSteps {
    private NeededSteps() {}

    /** Those of the statements that are to run, in their order. */
    public static List<PlannedStep> of(List<PlannedStep> steps) {
        Reach.Union needed = new Reach.Union();
        List<PlannedStep> chosen = new ArrayList<>();
        for (int i = steps.size() - 1; i >= 0; i--) {
            PlannedStep each = steps.get(i);
            if (needed.isAll()) {
                chosen.addAll(steps.subList(0, i + 1).reversed());
                break;
            }
            Reach reach = each.reach();
            boolean isShown = each.step().shown() != null;
            if (!isShown || reach.showsRows() || needed.dependsOn(reach)) {
                chosen.add(each);
                needed.add(reach);
            }
        }
        Collections.reverse(chosen);
        Invariants.check(
                steps.isEmpty()
                        || steps.getLast().step().shown() != null
                        || chosen.getLast().equals(steps.getLast()),
                "a new statement runs, and runs last");
        return chosen;
    }
}
