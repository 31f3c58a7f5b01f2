package dev.fulmar.sql.planner;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/**
 * Takes out of an OR the conditions that all of its terms demand. {@code (a AND b) OR (a AND c)} is
 * {@code a AND (b OR c)}, unknown included. An index or a partition can serve a then. Lists of rows,
 * {@code (x, y) IN ((1, 2), (1, 3))}, are such conditions.
 */
final class SharedConditions {
    private SharedConditions() {}

    /** The conditions whose conjunction is the same as the condition. */
    static List<RexNode> of(RexNode condition, RexBuilder rexBuilder) {
        List<RexNode> terms = RelOptUtil.disjunctions(condition);
        if (terms.size() < 2) {
            return List.of(condition);
        }
        Set<RexNode> shared = new LinkedHashSet<>(RelOptUtil.conjunctions(terms.getFirst()));
        shared.removeIf(each -> !RexUtil.isDeterministic(each));
        for (RexNode term : terms) {
            if (shared.isEmpty()) {
                return List.of(condition);
            }
            shared.retainAll(Set.copyOf(RelOptUtil.conjunctions(term)));
        }
        if (shared.isEmpty()) {
            return List.of(condition);
        }
        List<RexNode> rests = new ArrayList<>(terms.size());
        for (RexNode term : terms) {
            List<RexNode> rest = new ArrayList<>(RelOptUtil.conjunctions(term));
            rest.removeAll(shared);
            if (rest.isEmpty()) { // the others demand more than this one
                return List.copyOf(shared);
            }
            rests.add(RexUtil.composeConjunction(rexBuilder, rest));
        }
        List<RexNode> all = new ArrayList<>(shared);
        all.add(RexUtil.composeDisjunction(rexBuilder, rests));
        return all;
    }
}
