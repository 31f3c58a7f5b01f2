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
    Part ship(Part part) {
        if (part.placement() instanceof Placement.Merged) {
            return part;
        }
        fragments.add(new StatementPlan.Fragment(part.placement().scope(), new Operation.Query(part.relation())));
        Relation.Receive receive =
                new Relation.Receive(fragments.size() - 1, part.relation().columns());
        return Part.unordered(receive, new Placement.Merged());
    }

    /** A mark to go back to. */
    int size() {
        return fragments.size();
    }

    /** Forgets the fragments behind the mark. */
    void truncate(int mark) {
        fragments.subList(mark, fragments.size()).clear();
    }

    /** What the fragment yields. */
    Relation relation(int fragment) {
        return ((Operation.Query) fragments.get(fragment).operation()).relation();
    }

    List<StatementPlan.Fragment> list() {
        return List.copyOf(fragments);
    }
}
