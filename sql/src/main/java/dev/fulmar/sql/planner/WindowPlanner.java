package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.calcite.DialectAggregate;
import dev.fulmar.sql.calcite.GroupFrames;
import dev.fulmar.sql.calcite.TypeMapping;
import dev.fulmar.sql.text.SqlErrors;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.rex.RexWindowExclusion;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/** Plans window functions: where one run sees all rows, sorted for each window. */
final class WindowPlanner {
    /** Functions that yield the value of one row, for which nulls may be left out. */
    private static final Set<SqlKind> TAKING_NULLS =
            Set.of(SqlKind.FIRST_VALUE, SqlKind.LAST_VALUE, SqlKind.NTH_VALUE, SqlKind.LAG, SqlKind.LEAD);

    private static final BigDecimal MOST_ROWS = BigDecimal.valueOf(Integer.MAX_VALUE);

    private final RelationPlanner planner;
    private final RexBuilder rexBuilder;

    WindowPlanner(RelationPlanner planner, RexBuilder rexBuilder) {
        this.planner = planner;
        this.rexBuilder = rexBuilder;
    }

    /** Windows with the same partitions and order are computed together. */
    private record Key(List<Expression> partitions, List<Relation.SortKey> order) {}

    PlannedRelation plan(Project project) {
        PlannedRelation input = planner.plan(project.getInput(), List.of());
        PlannedRelation whole = input.distribution().isWhole() ? input : planner.ship(input);
        Map<Key, List<RexOver>> windows = new LinkedHashMap<>();
        collect(project, windows);
        Relation relation = whole.relation();
        Map<RexOver, Integer> places = new LinkedHashMap<>();
        for (Map.Entry<Key, List<RexOver>> window : windows.entrySet()) {
            int first = relation.columns().size();
            relation = window(relation, window.getKey(), window.getValue());
            for (int i = 0; i < window.getValue().size(); i++) {
                places.put(window.getValue().get(i), first + i);
            }
        }
        return PlannedRelation.unordered(
                Relations.project(relation, results(project, places)),
                whole.distribution().withColumns(column -> List.of()));
    }

    private void collect(Project project, Map<Key, List<RexOver>> windows) {
        RexShuttle finder = new RexShuttle() {
            @Override
            public RexNode visitOver(RexOver over) {
                List<RexOver> calls = windows.computeIfAbsent(key(over.getWindow()), key -> new ArrayList<>());
                if (!calls.contains(over)) {
                    calls.add(over);
                }
                return over;
            }
        };
        project.getProjects().forEach(each -> each.accept(finder));
    }

    private Key key(RexWindow window) {
        List<Relation.SortKey> order = new ArrayList<>();
        for (RexFieldCollation collation : window.orderKeys) {
            boolean descending = collation.getDirection().isDescending();
            boolean nullsFirst = collation.right.contains(SqlKind.NULLS_FIRST)
                    || (descending && !collation.right.contains(SqlKind.NULLS_LAST));
            order.add(new Relation.SortKey(planner.converter().convert(collation.left), descending, nullsFirst));
        }
        return new Key(
                window.partitionKeys.stream().map(planner.converter()::convert).toList(), order);
    }

    private Relation window(Relation input, Key key, List<RexOver> calls) {
        List<Relation.SortKey> keys = new ArrayList<>();
        key.partitions().forEach(value -> keys.add(new Relation.SortKey(value, false, false)));
        keys.addAll(key.order());
        Relation sorted = keys.isEmpty() ? input : new Relation.Sort(input, keys);
        return new Relation.Window(
                sorted,
                key.partitions(),
                key.order(),
                calls.stream().map(this::call).toList());
    }

    private Relation.WindowCall call(RexOver over) {
        ColumnType type = TypeMapping.columnType(over.getType());
        if (over.isDistinct()) {
            throw SqlErrors.notSupported("DISTINCT in a window is not supported");
        }
        if (over.ignoreNulls() && !TAKING_NULLS.contains(over.getAggOperator().getKind())) {
            throw SqlErrors.notSupported(
                    "IGNORE NULLS is for FIRST_VALUE, LAST_VALUE, NTH_VALUE, LAG and LEAD; leave it out");
        }
        if (over.getAggOperator() instanceof DialectAggregate aggregate) {
            List<Expression> operands = over.getOperands().stream()
                    .map(planner.converter()::convert)
                    .toList();
            return new Relation.WindowAggregate(
                    DialectAggregates.of(aggregate, operands, type, false, null), frame(over.getWindow()));
        }
        return switch (over.getAggOperator().getKind()) {
            case ROW_NUMBER -> rank(Relation.Ranking.ROW_NUMBER, type);
            case RANK -> rank(Relation.Ranking.RANK, type);
            case DENSE_RANK -> rank(Relation.Ranking.DENSE_RANK, type);
            case PERCENT_RANK -> rank(Relation.Ranking.PERCENT_RANK, type);
            case CUME_DIST -> rank(Relation.Ranking.CUME_DIST, type);
            case NTILE -> new Relation.WindowRank(Relation.Ranking.NTILE, positive(over, 0, "NTILE"), type);
            case LAG -> neighbour(over, -1, type);
            case LEAD -> neighbour(over, 1, type);
            case FIRST_VALUE -> value(Relation.RowChoice.FIRST, over, 0, null, type);
            case LAST_VALUE -> value(Relation.RowChoice.LAST, over, 0, null, type);
            case NTH_VALUE -> value(Relation.RowChoice.NTH, over, positive(over, 1, "NTH_VALUE"), null, type);
            case COUNT -> aggregate(AggregateFunction.COUNT, over, type);
            case SUM, SUM0 -> aggregate(AggregateFunction.SUM, over, type);
            case AVG -> aggregate(AggregateFunction.AVG, over, type);
            case MIN, ANY_VALUE -> aggregate(AggregateFunction.MIN, over, type);
            case MAX -> aggregate(AggregateFunction.MAX, over, type);
            default ->
                throw SqlErrors.notSupported("the window function "
                        + over.getAggOperator().getName()
                        + " is not supported; docs/SQL.md lists those that are");
        };
    }

    private static Relation.WindowCall rank(Relation.Ranking ranking, ColumnType type) {
        return new Relation.WindowRank(ranking, 0, type);
    }

    /** LAG and LEAD: the value so many rows away, one if nothing is said. */
    private Relation.WindowCall neighbour(RexOver over, int direction, ColumnType type) {
        List<RexNode> operands = over.getOperands();
        long distance = operands.size() > 1 ? constant(over, 1) : 1;
        RexNode otherwise = operands.size() > 2 ? operands.get(2) : null;
        return value(Relation.RowChoice.OFFSET, over, direction * distance, otherwise, type);
    }

    private Relation.WindowCall value(
            Relation.RowChoice choice, RexOver over, long distance, @Nullable RexNode otherwise, ColumnType type) {
        return new Relation.WindowValue(
                choice,
                planner.converter().convertAs(over.getOperands().getFirst(), type),
                distance,
                over.ignoreNulls(),
                otherwise == null ? null : planner.converter().convertAs(otherwise, type),
                frame(over.getWindow()),
                type);
    }

    private static long positive(RexOver over, int operand, String function) {
        long value = constant(over, operand);
        if (value <= 0) {
            throw SqlErrors.notSupported(function + " takes a number greater than 0, not " + value);
        }
        return value;
    }

    private static long constant(RexOver over, int operand) {
        Long value =
                over.getOperands().get(operand) instanceof RexLiteral literal ? literal.getValueAs(Long.class) : null;
        if (value == null || Math.abs(value) > Integer.MAX_VALUE) {
            throw SqlErrors.notSupported("the number that "
                    + over.getAggOperator().getName() + " takes is a literal of at most " + Integer.MAX_VALUE);
        }
        return value;
    }

    private Relation.WindowCall aggregate(AggregateFunction function, RexOver over, ColumnType type) {
        Expression argument = null;
        if (!over.getOperands().isEmpty()) {
            RexNode operand = over.getOperands().getFirst();
            argument = function == AggregateFunction.MIN || function == AggregateFunction.MAX
                    ? planner.converter().convertAs(operand, type)
                    : planner.converter().convert(operand);
        }
        return new Relation.WindowAggregate(
                new Relation.AggregateCall(function, argument, false, null, type), frame(over.getWindow()));
    }

    private Relation.WindowFrame frame(RexWindow window) {
        boolean isOfGroups = GroupFrames.isOne(window);
        if (isOfGroups && window.orderKeys.isEmpty()) {
            throw new FulmarException(
                    ErrorCode.SYNTAX, "a frame of GROUPS needs an ORDER BY, by which rows are peers of each other");
        }
        if (!isOfGroups && RangeFrames.isOne(window)) {
            return RangeFrames.of(
                    window, key(window).order(), exclusion(window.getExclude()), planner.converter(), rexBuilder);
        }
        boolean isOfPeers = isOfGroups || !window.isRows();
        return new Relation.WindowFrame(
                isOfPeers, end(window.getLowerBound()), end(window.getUpperBound()), exclusion(window.getExclude()));
    }

    private static Relation.Exclusion exclusion(RexWindowExclusion exclude) {
        return switch (exclude) {
            case EXCLUDE_NO_OTHER -> Relation.Exclusion.NONE;
            case EXCLUDE_CURRENT_ROW -> Relation.Exclusion.CURRENT_ROW;
            case EXCLUDE_GROUP -> Relation.Exclusion.GROUP;
            case EXCLUDE_TIES -> Relation.Exclusion.TIES;
        };
    }

    /** An end that counts, rows or groups; no partition has so many that a greater number says more. */
    private static Relation.FrameEnd end(RexWindowBound bound) {
        if (bound.isUnbounded() || bound.isCurrentRow()) {
            return new Relation.FrameEnd(bound.isUnbounded(), 0);
        }
        RexNode groups = GroupFrames.distance(bound);
        RexNode written = groups == null ? bound.getOffset() : groups;
        BigDecimal number = written instanceof RexLiteral literal ? literal.getValueAs(BigDecimal.class) : null;
        if (number == null || number.signum() < 0 || number.stripTrailingZeros().scale() > 0) {
            throw SqlErrors.notSupported("a frame of a window ends at UNBOUNDED, at CURRENT ROW or at a constant whole"
                    + " number of rows or groups before or after it");
        }
        long distance = number.min(MOST_ROWS).longValue();
        return new Relation.FrameEnd(false, bound.isPreceding() ? -distance : distance);
    }

    /** The projection over the input's columns and those of the windows. */
    private List<Expression> results(Project project, Map<RexOver, Integer> places) {
        RexShuttle replacement = new RexShuttle() {
            @Override
            public RexNode visitOver(RexOver over) {
                Integer place = places.get(over);
                return place == null ? over : new RexInputRef(place, over.getType());
            }
        };
        List<Expression> results = new ArrayList<>();
        for (int i = 0; i < project.getProjects().size(); i++) {
            RelDataTypeField field = project.getRowType().getFieldList().get(i);
            RexNode value = project.getProjects().get(i).accept(replacement);
            results.add(planner.converter().convertAs(value, TypeMapping.columnType(field.getType())));
        }
        return results;
    }
}
