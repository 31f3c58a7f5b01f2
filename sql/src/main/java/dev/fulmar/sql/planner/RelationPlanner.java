package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.spi.PlanningTurn;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.sql.calcite.TypeMapping;
import dev.fulmar.sql.estimate.Estimates;
import dev.fulmar.sql.estimate.StatisticsUse;
import dev.fulmar.sql.expression.Conversion;
import dev.fulmar.sql.expression.ExpressionConverter;
import dev.fulmar.sql.expression.Expressions;
import dev.fulmar.sql.expression.RowCalls;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Spool;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexLiteral;

/** Plans a tree of Calcite's operators from the leaves up, deciding for each where it runs. One per statement. */
final class RelationPlanner {
    private final ExpressionConverter converter;
    private final Fragments fragments;
    private final boolean onOnePartition;
    private final Estimates estimates;
    private final Map<RelNode, PlannedRelation> derivedParts = new HashMap<>();
    private final Recursions recursions = new Recursions(this);

    /** A planner that knows nothing of the tables but how they are made. */
    RelationPlanner(ExpressionConverter converter, Fragments fragments) {
        this(converter, fragments, false, StatisticsUse.none());
    }

    /** As if one partition had all rows, if so asked for; then nothing needs to be shipped. */
    RelationPlanner(
            ExpressionConverter converter, Fragments fragments, boolean onOnePartition, StatisticsUse statisticsUse) {
        this.converter = converter;
        this.fragments = fragments;
        this.onOnePartition = onOnePartition;
        this.estimates = new Estimates(statisticsUse, fragments::relation);
    }

    ExpressionConverter converter() {
        return converter;
    }

    Estimates estimates() {
        return estimates;
    }

    /** The part where the merge has it; where one partition has everything it is there already. */
    PlannedRelation ship(PlannedRelation plannedRelation) {
        return onOnePartition ? plannedRelation : fragments.ship(plannedRelation);
    }

    /** Where {@link #backTo} returns to. */
    Mark mark() {
        return new Mark(fragments.size(), Set.copyOf(derivedParts.keySet()));
    }

    /** A state of planning. */
    record Mark(int fragments, Set<RelNode> derived) {}

    /** Whether anything has been brought to the merge since the mark. */
    boolean hasShippedSince(Mark mark) {
        return fragments.size() > mark.fragments();
    }

    /** Forgets what was planned, and perhaps shipped, since the mark. */
    void backTo(Mark mark) {
        fragments.truncate(mark.fragments());
        derivedParts.keySet().retainAll(mark.derived());
    }

    /** Plans the tree; the order is followed if that is free, and the part says so. */
    PlannedRelation plan(RelNode rel, List<OrderKey> wanted) {
        PlannedRelation plannedRelation = planned(rel, wanted);
        return plannedRelation.ordered() && wanted.isEmpty()
                ? PlannedRelation.unordered(plannedRelation.relation(), plannedRelation.distribution())
                : plannedRelation;
    }

    private PlannedRelation planned(RelNode rel, List<OrderKey> wanted) {
        PlanningTurn.goOn();
        return switch (rel) {
            case TableScan scan when Recursions.isWorking(scan) -> recursions.working(scan);
            case TableScan scan -> innerJoins(scan, wanted);
            case RepeatUnion union -> recursions.plan(union);
            case Spool spool -> plan(spool.getInput(), wanted);
            case Filter filter -> innerJoins(filter, wanted);
            case Join join when join.getJoinType() == JoinRelType.INNER -> innerJoins(join, wanted);
            case Join join -> outerJoin(join, wanted);
            case Project project
            when project.containsOver() ->
                new WindowPlanner(this, project.getCluster().getRexBuilder()).plan(project);
            case Project project -> project(project, wanted);
            case Aggregate aggregate
            when aggregate.getGroupType() != Aggregate.Group.SIMPLE -> plan(GroupingSets.united(aggregate), wanted);
            case Aggregate aggregate -> new AggregatePlanner(this).plan(aggregate);
            case Sort sort -> new SortPlanner(this).plan(sort, wanted);
            case Union union -> union(union);
            case Values values -> values(values);
            case TableFunctionScan scan -> functionRows(scan);
            case Correlate correlate -> new CorrelatePlanner(this).plan(correlate);
            case ExchangeInput exchangeInput -> exchangeInput.plannedRelation();
            default -> throw SqlErrors.notSupported(form(rel) + " is not supported");
        };
    }

    /** The name that users know. */
    private static String form(RelNode rel) {
        return switch (rel.getRelTypeName().replace("Logical", "")) {
            case "Uncollect" -> "UNNEST";
            case "Match" -> "MATCH_RECOGNIZE";
            case "Sample" -> "TABLESAMPLE";
            case "Intersect" -> "this form of INTERSECT";
            case "Minus" -> "this form of EXCEPT";
            default ->
                "a subquery that refers to an outer row, in another form than a simple EXISTS, IN or scalar query,";
        };
    }

    private PlannedRelation innerJoins(RelNode rel, List<OrderKey> wanted) {
        JoinGraph graph = new JoinGraph(rel, converter);
        return new JoinOrder(this, graph, wanted).plan();
    }

    /** The input's produced rows, its conditions met. */
    PlannedRelation planInput(JoinInput input, List<OrderKey> wanted) {
        if (input.table() == null) {
            return derived(input);
        }
        PlannedRelation plannedRelation = Scans.read(input.table(), input.conditions(), wanted, estimates);
        return new PlannedRelation(plannedRelation.relation(), distribution(input), plannedRelation.ordered());
    }

    /** The distribution of the input's rows. */
    Distribution distribution(JoinInput input) {
        if (input.table() == null) {
            return derived(input).distribution();
        }
        return onOnePartition ? new Distribution.Everywhere() : Scans.distribution(input.table(), input.conditions());
    }

    /** An input that is no table; planned once, though several joins may be tried with it. */
    PlannedRelation derived(JoinInput input) {
        PlannedRelation known = derivedParts.get(input.rel());
        if (known == null) {
            known = plan(input.rel(), List.of());
            derivedParts.put(input.rel(), known);
        }
        return new PlannedRelation(
                Relations.filter(known.relation(), input.conditions()), known.distribution(), known.ordered());
    }

    JoinPlanner.RightSide rightSide(JoinInput input) {
        return input.table() == null
                ? JoinPlanner.RightSide.of(derived(input).relation())
                : new JoinPlanner.RightSide(
                        input.table(),
                        input.conditions(),
                        Scans.read(input.table(), input.conditions(), List.of(), estimates)
                                .relation(),
                        estimates);
    }

    private PlannedRelation outerJoin(Join join, List<OrderKey> wanted) {
        return new OuterJoins(this).plan(join, wanted);
    }

    private PlannedRelation project(Project project, List<OrderKey> wanted) {
        List<Expression> expressions = new ArrayList<>();
        for (int i = 0; i < project.getProjects().size(); i++) {
            ColumnType type = TypeMapping.columnType(
                    project.getRowType().getFieldList().get(i).getType());
            expressions.add(converter.convertAs(project.getProjects().get(i), type));
        }
        PlannedRelation input = plan(project.getInput(), through(wanted, expressions));
        Distribution distribution = input.distribution().withColumns(column -> positions(expressions, column));
        return new PlannedRelation(Relations.project(input.relation(), expressions), distribution, input.ordered());
    }

    private static List<Integer> positions(List<Expression> expressions, int column) {
        return IntStream.range(0, expressions.size())
                .filter(i -> expressions.get(i) instanceof Expression.ColumnReference reference
                        && reference.index() == column)
                .boxed()
                .toList();
    }

    private static List<OrderKey> through(List<OrderKey> wanted, List<Expression> expressions) {
        List<OrderKey> keys = new ArrayList<>();
        for (OrderKey key : wanted) {
            Optional<OrderKey> below = key.through(expressions);
            if (below.isEmpty()) {
                return List.of();
            }
            keys.add(below.get());
        }
        return keys;
    }

    private PlannedRelation values(Values values) {
        List<ColumnType> types = types(values);
        List<List<Expression>> rows = new ArrayList<>();
        for (List<RexLiteral> tuple : values.getTuples()) {
            List<Expression> row = new ArrayList<>();
            for (int i = 0; i < tuple.size(); i++) {
                row.add(converter.convertAs(tuple.get(i), types.get(i)));
            }
            rows.add(row);
        }
        return PlannedRelation.unordered(new Relation.Values(types, rows), new Distribution.Everywhere());
    }

    private PlannedRelation functionRows(TableFunctionScan scan) {
        Relation rows = RowCalls.rows(scan.getCall(), converter);
        int values = rows.columns().size() - (RowCalls.isNumbered(scan.getCall()) ? 0 : 1);
        Relation wanted =
                Relations.select(rows, IntStream.range(0, values).boxed().toList());
        return PlannedRelation.unordered(wanted, new Distribution.Everywhere());
    }

    static List<ColumnType> types(RelNode rel) {
        return rel.getRowType().getFieldList().stream()
                .map(field -> TypeMapping.columnType(field.getType()))
                .toList();
    }

    private PlannedRelation union(Union union) {
        if (!union.all) {
            throw SqlErrors.notSupported("this form of UNION is not supported; use UNION ALL and DISTINCT");
        }
        List<ColumnType> types = types(union);
        List<PlannedRelation> parts = new ArrayList<>();
        for (RelNode input : union.getInputs()) {
            PlannedRelation plannedRelation = plan(input, List.of());
            parts.add(PlannedRelation.unordered(
                    labelledCast(plannedRelation.relation(), types), plannedRelation.distribution()));
        }
        if (parts.stream().map(PlannedRelation::relation).allMatch(Relation.Values.class::isInstance)) {
            List<List<Expression>> rows = new ArrayList<>();
            parts.forEach(plannedRelation -> rows.addAll(((Relation.Values) plannedRelation.relation()).rows()));
            return PlannedRelation.unordered(new Relation.Values(types, rows), new Distribution.Everywhere());
        }
        Distribution distribution = unionDistribution(parts);
        if (distribution instanceof Distribution.Merged) {
            parts.replaceAll(this::ship);
        }
        List<Relation> relations = parts.stream().map(PlannedRelation::relation).toList();
        return PlannedRelation.unordered(new Relation.UnionAll(relations), distribution);
    }

    /** The rows of a part of a union as its types; literal texts are labels where the union has those. */
    static Relation labelledCast(Relation relation, List<ColumnType> types) {
        return cast(labelled(relation, types), types);
    }

    /** The rows, whose literal texts are labels where all parts have those. */
    private static Relation labelled(Relation relation, List<ColumnType> types) {
        boolean hasLabels = types.stream().anyMatch(type -> type.kind() == TypeKind.ENUM);
        return switch (relation) {
            case Relation.Project project
            when hasLabels -> new Relation.Project(project.input(), labelled(project.expressions(), types));
            case Relation.Values values
            when hasLabels -> {
                List<List<Expression>> rows =
                        values.rows().stream().map(row -> labelled(row, types)).toList();
                List<ColumnType> known = new ArrayList<>();
                for (int i = 0; i < types.size(); i++) {
                    known.add(
                            types.get(i).kind() == TypeKind.ENUM
                                    ? types.get(i)
                                    : values.columns().get(i));
                }
                yield new Relation.Values(known, rows);
            }
            default -> relation;
        };
    }

    private static List<Expression> labelled(List<Expression> values, List<ColumnType> types) {
        List<Expression> labelled = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            boolean isLabel = types.get(i).kind() == TypeKind.ENUM && values.get(i) instanceof Expression.Literal;
            labelled.add(isLabel ? Conversion.cast(values.get(i), types.get(i)) : values.get(i));
        }
        return labelled;
    }

    private static Distribution unionDistribution(List<PlannedRelation> parts) {
        Distribution first = parts.getFirst().distribution();
        if (parts.stream()
                .allMatch(plannedRelation -> plannedRelation.distribution().equals(first))) {
            return first;
        }
        if (!(first instanceof Distribution.Spread spread)) {
            return new Distribution.Merged();
        }
        Set<Integer> columns = new TreeSet<>(spread.columns());
        for (PlannedRelation plannedRelation : parts) {
            if (!(plannedRelation.distribution() instanceof Distribution.Spread other)
                    || !Objects.equals(spread.keys(), other.keys())) {
                return new Distribution.Merged();
            }
            columns.retainAll(other.columns());
        }
        return new Distribution.Spread(columns, spread.keys());
    }

    static Relation cast(Relation relation, List<ColumnType> types) {
        List<Expression> references = Expressions.references(relation.columns());
        List<Expression> converted = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            converted.add(Conversion.cast(references.get(i), types.get(i)));
        }
        return Relations.project(relation, converted);
    }
}
