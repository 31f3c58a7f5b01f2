package dev.fulmar.sql.planner;

import dev.fulmar.engine.spi.PlanningTurn;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.calcite.CatalogRows;
import dev.fulmar.sql.calcite.IntervalType;
import dev.fulmar.sql.calcite.JsonType;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptPredicateList;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.sql2rel.TopDownGeneralDecorrelator;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.tools.RelBuilderFactory;

/**
 * Rewrites a query without regard to indexes and partitions: subqueries become joins, conditions move towards the
 * tables.
 */
final class LogicalRewrite {
    /**
     * Expressions stay as they are written: what Calcite takes for simpler may be something else, see
     * {@link PlainConditions} and {@link HoistedSubqueries}.
     */
    private static final RelBuilderFactory LITERALLY =
            RelBuilder.proto(Contexts.of(RelBuilder.Config.DEFAULT.withSimplify(false)));

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
            CoreRules.MINUS_TO_DISTINCT));

    private static final HepProgram SET_OPERATIONS =
            program(List.of(CoreRules.UNION_TO_DISTINCT, CoreRules.INTERSECT_TO_DISTINCT, CoreRules.MINUS_TO_DISTINCT));

    private static final HepProgram SIMPLER_SORTS = program(List.of(CoreRules.SORT_REMOVE_CONSTANT_KEYS));

    /** Far more than any statement within the limits needs; rules that undo each other stop there. */
    private static final int MOST_MATCHES = 20_000;

    /**
     * Ten joins of 600 columns. More takes Calcite tens of milliseconds, in which the planning can neither end nor give
     * way.
     */
    private static final long MOST_PAIRS = 4_000_000;

    private LogicalRewrite() {}

    private static HepProgram program(List<RelOptRule> rules) {
        return program(rules, MOST_MATCHES);
    }

    private static HepProgram program(List<RelOptRule> rules, int mostMatches) {
        HepProgramBuilder builder = new HepProgramBuilder();
        builder.addMatchLimit(mostMatches);
        builder.addRuleCollection(rules.stream().map(LogicalRewrite::literal).toList());
        return builder.build();
    }

    private static RelOptRule literal(RelOptRule rule) {
        return rule instanceof RelRule<?> configured
                ? configured.config.withRelBuilderFactory(LITERALLY).toRule()
                : rule;
    }

    /**
     * Plans the query as it is rewritten; where that or the plan fails, plans it as it is rewritten in the plainest
     * way.
     */
    static <T> T eitherWay(RelNode query, Function<RelNode, T> plan) {
        try {
            return plan.apply(rewrite(query));
        } catch (RuntimeException | AssertionError e) {
            if (e instanceof FulmarException known
                    && known.code() != ErrorCode.NOT_SUPPORTED
                    && known.code() != ErrorCode.INTERNAL) {
                throw known;
            }
            return simply(query, plan, e);
        }
    }

    /** Where that fails too, the first failure may say more. */
    private static <T> T simply(RelNode query, Function<RelNode, T> plan, Throwable first) {
        try {
            return plan.apply(rewriteSimply(query));
        } catch (RuntimeException | AssertionError e) {
            if (e instanceof FulmarException || !(first instanceof FulmarException known)) {
                throw e;
            }
            throw known;
        }
    }

    /** Decorrelation may take away the row to which an expression refers. */
    private static RelNode closed(RelNode query) {
        Invariants.check(
                HiddenConstants.freeVariables(query).isEmpty(), "a rewritten query refers to rows within it only");
        return query;
    }

    static RelNode rewrite(RelNode query) {
        withoutPredicates(query.getCluster(), CatalogRows::are);
        HoistedSubqueries subqueries = new HoistedSubqueries();
        RelNode withoutSubqueries = run(SUBQUERIES, subqueries.hoist(ExistsInputs.simplify(query)));
        if (subqueries.isMistakenInJoin()
                || subqueries.isMistakenInRow()
                || HiddenConstants.skipsLevels(withoutSubqueries)
                || HiddenConstants.hasAggregateOfEachRow(withoutSubqueries)
                || HiddenConstants.hasWindowOfEachRow(withoutSubqueries)
                || !HiddenConstants.freeVariables(withoutSubqueries).isEmpty()) {
            return rewriteSimply(query);
        }
        RelNode pushed = run(PUSH_DOWN, withoutGroupingSets(PlainConditions.of(decorrelated(withoutSubqueries))));
        return closed(unshared(better(SIMPLER_SORTS, withTransitivePredicates(pushed))));
    }

    /** The same with as little cleverness as possible: subqueries run for each row of the query around them. */
    static RelNode rewriteSimply(RelNode query) {
        withoutPredicates(query.getCluster());
        RelNode applied = withoutGroupingSets(Subqueries.applied(ExistsInputs.simplify(query)));
        return closed(unshared(run(SET_OPERATIONS, better(PUSH_DOWN, applied))));
    }

    /**
     * Calcite looks for conditions that hold of all rows wherever it groups, and stumbles over some that are never
     * true.
     */
    private static void withoutPredicates(RelOptCluster cluster) {
        withoutPredicates(cluster, rel -> true);
    }

    private static void withoutPredicates(RelOptCluster cluster, Predicate<RelNode> isLeftOut) {
        cluster.setMetadataQuerySupplier(() -> new RelMetadataQuery() {
            @Override
            public RelOptPredicateList getPulledUpPredicates(RelNode rel) {
                return isLeftOut.test(rel.stripped()) ? RelOptPredicateList.EMPTY : super.getPulledUpPredicates(rel);
            }
        });
        cluster.invalidateMetadataQuery();
    }

    /** The query as the rules make it, or as it is: Calcite stumbles over some that it could only have made quicker. */
    private static RelNode better(HepProgram program, RelNode query) {
        try {
            return run(program, query);
        } catch (RuntimeException | AssertionError e) {
            return query;
        }
    }

    /**
     * Conditions that follow from others save work but change no result. Calcite does not find them in every query, and
     * in some it finds the same ones without end: each join is looked at twice at most. For each join it looks at all
     * pairs of columns.
     */
    private static RelNode withTransitivePredicates(RelNode query) {
        if (joins(query) == 0 || joinsDocuments(query) || pairsOfJoinedColumns(query) > MOST_PAIRS) {
            return query;
        }
        HepProgram transitive = program(List.of(CoreRules.JOIN_PUSH_TRANSITIVE_PREDICATES), 2 * joins(query));
        return run(PUSH_DOWN, better(transitive, query));
    }

    /**
     * Equal documents and intervals may have other parts: 1 and 1.0. So a condition of one of them does not hold of the
     * other.
     */
    private static boolean joinsDocuments(RelNode query) {
        return (query instanceof Join join && comparesDocuments(join.getCondition()))
                || query.getInputs().stream().anyMatch(LogicalRewrite::joinsDocuments);
    }

    private static boolean comparesDocuments(RexNode condition) {
        return JsonType.isAny(condition.getType())
                || IntervalType.is(condition.getType())
                || (condition instanceof RexCall call
                        && call.getOperands().stream().anyMatch(LogicalRewrite::comparesDocuments));
    }

    /** Before conditions move: Calcite moves those without columns below a group that is there even of nothing. */
    private static RelNode withoutGroupingSets(RelNode query) {
        return query.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(LogicalAggregate aggregate) {
                RelNode visited = super.visit((RelNode) aggregate);
                return visited instanceof Aggregate inner && inner.getGroupType() != Aggregate.Group.SIMPLE
                        ? GroupingSets.united(inner)
                        : visited;
            }
        });
    }

    private static RelNode decorrelated(RelNode query) {
        if (!HiddenConstants.isCorrelated(query)) {
            return query;
        }
        // Decorrelation notes for each part what became of it: it takes one that stands in two places for the same.
        RelNode hidden = unshared(HiddenConstants.hide(query));
        return HiddenConstants.show(decorrelatedOneWayOrTheOther(hidden));
    }

    /**
     * Decorrelates in Calcite's usual way, or in its general way where the usual one is wrong or fails. The usual way
     * answers wrongly where a subquery that joins, has a subquery, or shows columns of the outer row, refers to that
     * row in several places. It stumbles over other queries. The general way does neither, but joins on null-safe
     * equality, for which there is no hash table.
     */
    private static RelNode decorrelatedOneWayOrTheOther(RelNode query) {
        if (HiddenConstants.hasJoinWithin(query) || HiddenConstants.showsOuterRow(query)) {
            return decorrelatedInGeneral(query);
        }
        try {
            return RelDecorrelator.decorrelateQuery(query, builder(query));
        } catch (RuntimeException | AssertionError e) {
            return decorrelatedInGeneral(query);
        }
    }

    /** The general way stumbles over some queries whose parts it can do: the branches of a UNION, each by itself. */
    private static RelNode decorrelatedInGeneral(RelNode query) {
        try {
            return TopDownGeneralDecorrelator.decorrelateQuery(query, builder(query));
        } catch (RuntimeException | AssertionError e) {
            if (query instanceof Correlate) {
                throw e;
            }
            return query.copy(
                    query.getTraitSet(),
                    query.getInputs().stream()
                            .map(input -> HiddenConstants.isCorrelated(input) ? decorrelatedInGeneral(input) : input)
                            .toList());
        }
    }

    /** The rewriting makes equal parts one; they are planned, and their rows received, each by itself. */
    static RelNode unshared(RelNode rel) {
        return switch (rel) {
            case LogicalTableScan scan -> LogicalTableScan.create(scan.getCluster(), scan.getTable(), scan.getHints());
            case LogicalValues values ->
                LogicalValues.create(values.getCluster(), values.getRowType(), values.getTuples())
                        .withHints(values.getHints());
            default ->
                rel.copy(
                        rel.getTraitSet(),
                        rel.getInputs().stream().map(LogicalRewrite::unshared).toList());
        };
    }

    private static int joins(RelNode rel) {
        return (rel instanceof Join ? 1 : 0)
                + rel.getInputs().stream().mapToInt(LogicalRewrite::joins).sum();
    }

    private static long pairsOfJoinedColumns(RelNode rel) {
        long width = rel instanceof Join ? rel.getRowType().getFieldCount() : 0;
        return width * width
                + rel.getInputs().stream()
                        .mapToLong(LogicalRewrite::pairsOfJoinedColumns)
                        .sum();
    }

    private static RelBuilder builder(RelNode query) {
        return LITERALLY.create(query.getCluster(), null);
    }

    private static RelNode run(HepProgram program, RelNode query) {
        HepPlanner planner = new HepPlanner(program) {
            @Override
            public void checkCancel() {
                PlanningTurn.goOn();
            }
        };
        planner.setRoot(query);
        return planner.findBestExp();
    }
}
