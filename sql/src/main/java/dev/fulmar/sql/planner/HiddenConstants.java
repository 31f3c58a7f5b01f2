package dev.fulmar.sql.planner;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.BiRel;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Hides facts of a query that lead Calcite's decorrelation to wrong answers. Decorrelation leaves out grouping keys
 * that are literals, though without a key an aggregation of nothing yields a row, and counts its columns wrongly then.
 * So it sees no literals in projections. It also takes a column for one without nulls because the condition of an outer
 * join is not true of nulls, though the rows of that side stay anyway, and then joins on plain equality. So it does not
 * see what such a condition says. COALESCE says of a value, where it is the answer, that it is not null; decorrelation
 * computes it beside the CASE, and joins on plain equality. So it does not see that either.
 */
final class HiddenConstants {
    private static final SqlFunction HIDDEN = new SqlFunction(
            "HIDDEN", SqlKind.OTHER_FUNCTION, ReturnTypes.ARG0, null, OperandTypes.ANY, SqlFunctionCategory.SYSTEM);

    private HiddenConstants() {}

    /** Lets the answers of each CASE be null where what they are made of may be. */
    private static final class NullableAnswers extends RexShuttle {
        private final RexBuilder rexBuilder;

        NullableAnswers(RexBuilder rexBuilder) {
            this.rexBuilder = rexBuilder;
        }

        @Override
        public RexNode visitCall(RexCall call) {
            RexCall visited = (RexCall) super.visitCall(call);
            return visited.getKind() == SqlKind.CASE
                    ? visited.clone(
                            visited.getType(),
                            visited.getOperands().stream().map(this::nullable).toList())
                    : visited;
        }

        private RexNode nullable(RexNode answer) {
            if (answer.getKind() != SqlKind.CAST || answer.getType().isNullable()) {
                return answer;
            }
            RexNode operand = nullable(((RexCall) answer).getOperands().getFirst());
            return operand.getType().isNullable()
                    ? rexBuilder.makeAbstractCast(
                            rexBuilder.getTypeFactory().createTypeWithNullability(answer.getType(), true),
                            operand,
                            false)
                    : answer;
        }
    }

    /** Whether there is anything to decorrelate. */
    static boolean isCorrelated(RelNode rel) {
        return rel instanceof Correlate || rel.getInputs().stream().anyMatch(HiddenConstants::isCorrelated);
    }

    /** Whether a correlated subquery joins anything or has subqueries itself. */
    static boolean hasJoinWithin(RelNode rel) {
        boolean within = rel instanceof Correlate correlate && joins(correlate.getRight());
        return within || rel.getInputs().stream().anyMatch(HiddenConstants::hasJoinWithin);
    }

    /**
     * Whether a subquery shows columns of the outer row beside a condition on others: Calcite's usual decorrelation
     * forgets the condition.
     */
    static boolean showsOuterRow(RelNode rel) {
        boolean shows = rel instanceof Correlate correlate
                && readers(correlate.getCorrelationId(), correlate.getRight()).size() > 1;
        return shows || rel.getInputs().stream().anyMatch(HiddenConstants::showsOuterRow);
    }

    /** The parts of a subquery that refer to the outer row, if one of them computes columns. */
    private static List<RelNode> readers(CorrelationId outer, RelNode rel) {
        List<RelNode> readers = new ArrayList<>();
        collectReaders(outer, rel, readers);
        return readers.stream().anyMatch(Project.class::isInstance) ? readers : List.of();
    }

    private static void collectReaders(CorrelationId outer, RelNode rel, List<RelNode> readers) {
        if (expressionVariables(rel).contains(outer)) {
            readers.add(rel);
        }
        rel.getInputs().forEach(input -> collectReaders(outer, input, readers));
    }

    /**
     * Whether rows are joined with an aggregation of what belongs to each of them (LATERAL), and not only of groups.
     * There is one row even of nothing, which decorrelation forgets.
     */
    static boolean hasAggregateOfEachRow(RelNode rel) {
        boolean has = rel instanceof Correlate correlate
                && correlate.getJoinType() == JoinRelType.INNER
                && aggregatesAll(correlate.getRight());
        return has || rel.getInputs().stream().anyMatch(HiddenConstants::hasAggregateOfEachRow);
    }

    private static boolean aggregatesAll(RelNode rel) {
        boolean is =
                rel instanceof Aggregate aggregate && aggregate.getGroupSets().contains(ImmutableBitSet.of());
        return is || rel.getInputs().stream().anyMatch(HiddenConstants::aggregatesAll);
    }

    /**
     * Whether a window is over rows that belong to an outer row: decorrelated, it would be over those of all outer
     * rows.
     */
    static boolean hasWindowOfEachRow(RelNode rel) {
        boolean has = rel instanceof Project project
                && project.containsOver()
                && !freeVariables(project).isEmpty();
        return has || rel.getInputs().stream().anyMatch(HiddenConstants::hasWindowOfEachRow);
    }

    /**
     * Whether a subquery of a subquery refers to the outermost of the three rows: decorrelated, some of them answer
     * wrongly.
     */
    static boolean skipsLevels(RelNode rel) {
        boolean skips = rel instanceof Correlate correlate && isReadWithin(correlate, correlate.getRight());
        return skips || rel.getInputs().stream().anyMatch(HiddenConstants::skipsLevels);
    }

    private static boolean isReadWithin(Correlate outer, RelNode rel) {
        boolean read = rel instanceof Correlate inner
                && RelOptUtil.getVariablesUsed(inner.getRight()).contains(outer.getCorrelationId());
        return read || rel.getInputs().stream().anyMatch(input -> isReadWithin(outer, input));
    }

    /**
     * The outer rows to which the expressions refer though they are not below what calls a row so: taking a subquery
     * away may lose that.
     */
    static Set<CorrelationId> freeVariables(RelNode rel) {
        Set<CorrelationId> free = expressionVariables(rel);
        for (int i = 0; i < rel.getInputs().size(); i++) {
            Set<CorrelationId> ofInput = freeVariables(rel.getInput(i));
            if (rel instanceof Correlate correlate && i == 1) {
                ofInput.remove(correlate.getCorrelationId());
            }
            free.addAll(ofInput);
        }
        return free;
    }

    /** The outer rows to which the node's own expressions refer. */
    private static Set<CorrelationId> expressionVariables(RelNode rel) {
        Set<CorrelationId> variables = new HashSet<>();
        rel.accept(new RexShuttle() {
            @Override
            public RexNode visitCorrelVariable(RexCorrelVariable variable) {
                variables.add(variable.id);
                return variable;
            }
        });
        return variables;
    }

    private static boolean joins(RelNode rel) {
        return rel instanceof BiRel || rel.getInputs().stream().anyMatch(HiddenConstants::joins);
    }

    static RelNode hide(RelNode query) {
        RexBuilder rexBuilder = query.getCluster().getRexBuilder();
        RexShuttle nullableAnswers = new NullableAnswers(rexBuilder);
        return query.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                return super.visit(other).accept(nullableAnswers);
            }

            @Override
            public RelNode visit(LogicalProject project) {
                RelNode visited = super.visit((RelNode) project).accept(nullableAnswers);
                return visited instanceof LogicalProject inner ? hidden(inner, rexBuilder) : visited;
            }

            @Override
            public RelNode visit(LogicalJoin join) {
                RelNode visited = super.visit((RelNode) join).accept(nullableAnswers);
                return visited instanceof LogicalJoin inner
                                && inner.getJoinType().isOuterJoin()
                        ? hidden(inner, rexBuilder)
                        : visited;
            }
        });
    }

    private static RelNode hidden(LogicalJoin join, RexBuilder rexBuilder) {
        return join.getCondition() instanceof RexLiteral
                ? join
                : join.copy(
                        join.getTraitSet(),
                        rexBuilder.makeCall(HIDDEN, join.getCondition()),
                        join.getLeft(),
                        join.getRight(),
                        join.getJoinType(),
                        join.isSemiJoinDone());
    }

    private static RelNode hidden(LogicalProject project, RexBuilder rexBuilder) {
        List<RexNode> expressions = new ArrayList<>();
        for (RexNode expression : project.getProjects()) {
            expressions.add(expression instanceof RexLiteral ? rexBuilder.makeCall(HIDDEN, expression) : expression);
        }
        return project.copy(project.getTraitSet(), project.getInput(), expressions, project.getRowType());
    }

    static RelNode show(RelNode query) {
        RexShuttle shuttle = new RexShuttle() {
            @Override
            public RexNode visitCall(RexCall call) {
                return call.getOperator().equals(HIDDEN) ? call.getOperands().getFirst() : super.visitCall(call);
            }
        };
        return query.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                return super.visit(other).accept(shuttle);
            }
        });
    }
}
