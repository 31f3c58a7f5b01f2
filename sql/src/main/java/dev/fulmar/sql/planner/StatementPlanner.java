package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.GivenNumbers;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.sql.calcite.QueryParser;
import dev.fulmar.sql.calcite.TypeMapping;
import dev.fulmar.sql.estimate.StatisticsUse;
import dev.fulmar.sql.expression.ExpressionConverter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.Pair;

/** Makes the plan of a valid statement. */
public final class StatementPlanner {
    private StatementPlanner() {}

    /** Plans a statement of the same catalog, for a part of another. */
    @FunctionalInterface
    public interface Nested {
        StatementPlan plan(String sql);
    }

    /** The plan, whatever is known of the tables. */
    public static StatementPlan plan(String sql, QueryParser.Parsed parsed, ConflictAction onConflict, Nested nested) {
        return plan(sql, parsed, onConflict, nested, Catalog.empty(), StatisticsUse.none());
    }

    /** The plan; of a query by what is known of the tables. */
    public static StatementPlan plan(
            String sql,
            QueryParser.Parsed parsed,
            ConflictAction onConflict,
            Nested nested,
            Catalog catalog,
            StatisticsUse statisticsUse) {
        ExpressionConverter converter =
                new ExpressionConverter(parsed.root().rel.getCluster().getRexBuilder(), parsed.parameters());
        if (parsed.root().rel instanceof TableModify modify) {
            StepPlanner inSteps = new StepPlanner(sql, parsed.parameters(), converter, nested, catalog);
            StatementPlan plan = inSteps.plan(modify, onConflict)
                    .map(steps -> StatementPlan.inSteps(sql, parsed.parameters(), steps))
                    .orElseGet(() -> inPlace(sql, parsed.parameters(), converter, catalog, modify, onConflict));
            return GivenNumbers.needsAsMany(plan, catalog::isDenseSequence)
                    ? StatementPlan.inSteps(sql, parsed.parameters(), inSteps.numbered(modify, onConflict))
                    : plan;
        }
        List<Integer> columns = List.copyOf(Pair.left(parsed.root().fields));
        return query(
                sql,
                parsed.parameters(),
                parsed.root().rel,
                converter,
                relation -> Relations.select(relation, columns),
                result -> columns(parsed, result),
                statisticsUse);
    }

    private static StatementPlan inPlace(
            String sql,
            List<ColumnType> parameters,
            ExpressionConverter converter,
            Catalog catalog,
            TableModify modify,
            ConflictAction onConflict) {
        StatementPlan.Fragment fragment = new ModificationPlanner(converter, catalog).plan(modify, onConflict);
        return new StatementPlan(sql, parameters, List.of(), List.of(fragment), Optional.empty());
    }

    /** The plan of a query that is part of a change: whatever is known of the tables. */
    static StatementPlan query(
            String sql,
            List<ColumnType> parameters,
            RelNode query,
            ExpressionConverter converter,
            UnaryOperator<Relation> shape,
            Function<Relation, List<ResultColumn>> columns) {
        return query(sql, parameters, query, converter, shape, columns, StatisticsUse.none());
    }

    /**
     * The plan of a query.
     *
     * @param shape makes the result of the query's rows
     * @param columns of the result
     * @param weighing what is known of the tables
     */
    private static StatementPlan query(
            String sql,
            List<ColumnType> parameters,
            RelNode query,
            ExpressionConverter converter,
            UnaryOperator<Relation> shape,
            Function<Relation, List<ResultColumn>> columns,
            StatisticsUse statisticsUse) {
        return LogicalRewrite.eitherWay(query, rel -> {
            StatementPlan plan = planned(sql, parameters, rel, converter, shape, columns, statisticsUse);
            return plan.merge().isEmpty()
                    ? plan
                    : plan.narrowedBy(SemiJoinReduction.of(
                            rel,
                            plan,
                            parameters.size(),
                            keys -> planned(
                                    sql,
                                    parameters,
                                    keys,
                                    converter,
                                    relation -> relation,
                                    StepPlanner::named,
                                    statisticsUse),
                            (narrowed, keyTypes) -> {
                                List<ColumnType> all = new ArrayList<>(parameters);
                                all.addAll(keyTypes);
                                ExpressionConverter wider =
                                        new ExpressionConverter(rel.getCluster().getRexBuilder(), all);
                                return planned(sql, all, narrowed, wider, shape, columns, statisticsUse);
                            }));
        });
    }

    private static StatementPlan planned(
            String sql,
            List<ColumnType> parameters,
            RelNode rel,
            ExpressionConverter converter,
            UnaryOperator<Relation> shape,
            Function<Relation, List<ResultColumn>> columns,
            StatisticsUse statisticsUse) {
        Fragments fragments = new Fragments();
        PlannedRelation plannedRelation =
                new RelationPlanner(converter, fragments, false, statisticsUse).plan(rel, List.of());
        Relation result = shape.apply(plannedRelation.relation());
        if (plannedRelation.distribution() instanceof Distribution.Merged) {
            ColumnPruning pruning = new ColumnPruning(fragments.list());
            Relation merge = pruning.prune(result);
            PlannedRelation together =
                    new RelationPlanner(converter, new Fragments(), true, statisticsUse).plan(rel, List.of());
            return new StatementPlan(
                    sql,
                    parameters,
                    columns.apply(result),
                    pruning.fragments(),
                    Optional.of(merge),
                    Optional.of(shape.apply(together.relation())));
        }
        StatementPlan.Fragment only =
                new StatementPlan.Fragment(plannedRelation.distribution().scope(), new Operation.Query(result));
        return new StatementPlan(sql, parameters, columns.apply(result), List.of(only), Optional.empty());
    }

    /**
     * The validator's names with the planned types, but for text: a CHAR that becomes a VARCHAR, or is among such, is
     * planned as it is.
     */
    private static List<ResultColumn> columns(QueryParser.Parsed parsed, Relation result) {
        List<ColumnType> types = result.columns();
        List<ResultColumn> columns = new ArrayList<>();
        for (int i = 0; i < parsed.columns().size(); i++) {
            ResultColumn column = parsed.columns().get(i);
            ColumnType planned = types.get(i);
            boolean isText = isText(planned)
                    && isText(column.type())
                    && planned.isArray() == column.type().isArray();
            boolean isMade = isText
                    && column.type().kind() == TypeKind.VARCHAR
                    && MadeTexts.isMade(
                            parsed.root().rel, parsed.root().fields.get(i).getKey());
            ColumnType text = isMade ? ColumnType.varchar(TypeMapping.MAX_LENGTH) : column.type();
            columns.add(new ResultColumn(column.name(), isText ? text : planned, column.nullable(), column.origin()));
        }
        return columns;
    }

    private static boolean isText(ColumnType type) {
        return type.isArray() ? isText(type.element()) : type.kind().isCharacter();
    }

    /**
     * The one value that a query yields for each row of its table, over the table's columns; empty if it needs more
     * than the row.
     */
    public static Optional<Expression> ofRow(QueryParser.Parsed parsed) {
        RelNode rel = parsed.root().rel;
        ExpressionConverter converter = new ExpressionConverter(rel.getCluster().getRexBuilder(), parsed.parameters());
        if (rel instanceof TableScan) {
            return Optional.of(
                    converter.convert(rel.getCluster().getRexBuilder().makeInputRef(rel, 0)));
        }
        boolean isOfRow = rel instanceof Project project
                && project.getInput() instanceof TableScan
                && project.getProjects().size() == 1
                && !project.containsOver()
                && RexUtil.SubQueryFinder.find(project.getProjects().getFirst()) == null;
        return isOfRow
                ? Optional.of(converter.convert(((Project) rel).getProjects().getFirst()))
                : Optional.empty();
    }

    /** The value of a query without table, of one row and one column. */
    public static Expression constant(QueryParser.Parsed parsed) {
        ExpressionConverter converter =
                new ExpressionConverter(parsed.root().rel.getCluster().getRexBuilder(), parsed.parameters());
        PlannedRelation plannedRelation =
                new RelationPlanner(converter, new Fragments()).plan(parsed.root().rel, List.of());
        return switch (plannedRelation.relation()) {
            case Relation.Values values -> values.rows().getFirst().getFirst();
            case Relation.Project project -> project.expressions().getFirst();
            default -> throw new IllegalStateException("a constant's plan is one row");
        };
    }
}
