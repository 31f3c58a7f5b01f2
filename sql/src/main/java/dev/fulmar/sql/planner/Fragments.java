package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import java.util.ArrayList;
import java.util.List;

/** Collects the fragments whose rows a merge receives. */
final class Fragments {
    private final List<StatementPlan.Fragment> fragments = new ArrayList<>();

    /** The part's rows in the merge. */
    PlannedRelation ship(PlannedRelation plannedRelation) {
        if (plannedRelation.distribution() instanceof Distribution.Merged) {
            return plannedRelation;
        }
        fragments.add(new StatementPlan.Fragment(
                plannedRelation.distribution().scope(), new Operation.Query(plannedRelation.relation())));
        Relation.Receive receive = new Relation.Receive(
                fragments.size() - 1, plannedRelation.relation().columns());
        return PlannedRelation.unordered(receive, new Distribution.Merged());
    }

    /** A mark to go back to. */
    int size() {
        return fragments.size();
    }

    /** Forgets the fragments behind the mark. */
    void truncate(int mark) {
        fragments.subList(mark, fragments.size()).clear();
    }

    /** The relation whose rows the fragment yields. */
    Relation relation(int fragment) {
        return ((Operation.Query) fragments.get(fragment).operation()).relation();
    }

    List<StatementPlan.Fragment> list() {
        return List.copyOf(fragments);
    }
}
