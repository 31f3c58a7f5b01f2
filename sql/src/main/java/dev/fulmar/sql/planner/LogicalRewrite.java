package dev.fulmar.sql.planner;

import java.util.List;
import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.tools.RelBuilder;

/** Rewrites a query without regard to indexes and partitions: subqueries become joins, conditions move towards the tables. */
final class LogicalRewrite {
    private static final HepProgram SUBQUERIES = program(List.of(
            CoreRules.FILTER_SUB_QUERY_TO_CORRELATE,
            CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE,
            CoreRules.JOIN_SUB_QUERY_TO_CORRELATE));

    private static final HepProgram PUSH_DOWN = program(List.of(
            CoreRules.FILTER_INTO_JOIN,
            CoreRules.JOIN_CONDITION_PUSH,
            CoreRules.FILTER_PROJECT_TRANSPOSE,
            CoreRules.FILTER_AGGREGATE_TRANSPOSE,
            CoreRules.FILTER_SET_OP_TRANSPOSE,
            CoreRules.FILTER_MERGE,
            CoreRules.PROJECT_MERGE,
            CoreRules.PROJECT_REMOVE,
            CoreRules.UNION_TO_DISTINCT,
            CoreRules.INTERSECT_TO_DISTINCT,
            CoreRules.MINUS_TO_DISTINCT,
            CoreRules.SORT_REMOVE_CONSTANT_KEYS));

    private static final HepProgram TRANSITIVE = program(List.of(CoreRules.JOIN_PUSH_TRANSITIVE_PREDICATES));

    private LogicalRewrite() {}

    private static HepProgram program(List<RelOptRule> rules) {
        HepProgramBuilder builder = new HepProgramBuilder();
        builder.addRuleCollection(rules);
        return builder.build();
    }

    static RelNode rewrite(RelNode query) {
        RelNode withoutSubqueries = run(SUBQUERIES, query);
        RelNode decorrelated = RelDecorrelator.decorrelateQuery(withoutSubqueries, builder(query));
        RelNode pushed = run(PUSH_DOWN, decorrelated);
        return containsJoin(pushed) ? run(PUSH_DOWN, run(TRANSITIVE, pushed)) : pushed;
    }

    private static boolean containsJoin(RelNode rel) {
        return rel instanceof Join || rel.getInputs().stream().anyMatch(LogicalRewrite::containsJoin);
    }

    private static RelBuilder builder(RelNode query) {
        return RelBuilder.proto(Contexts.empty()).create(query.getCluster(), null);
    }

    private static RelNode run(HepProgram program, RelNode query) {
        HepPlanner planner = new HepPlanner(program);
        planner.setRoot(query);
        return planner.findBestExp();
    }
}
