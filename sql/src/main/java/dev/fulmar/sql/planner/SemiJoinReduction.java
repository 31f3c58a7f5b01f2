package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Operators;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.sql.calcite.CatalogTable;
import dev.fulmar.sql.calcite.TypeMapping;
import dev.fulmar.sql.expression.Expressions;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Plans a semi-join reduction: finds a join of a side that is likely small with a whole table that an index could be
 * asked for. It makes of the join the query for the small side's keys, and the query with these keys as conditions of
 * the table. Which of the ways is taken is decided when the query runs, by the number of keys, so no statistics are
 * needed.
 */
final class SemiJoinReduction {
    /** Most keys that are looked up: far fewer rows than a table has that is worth it. */
    static final int MOST_KEYS = 64;

    private final RexBuilder rexBuilder;
    private final int firstKey;

    /** A join with its table, and what of the other side must be equal to the table's column. */
    private record Choice(Join join, boolean isTableRight, TableScan scan, int column, RexNode key) {
        RelNode small() {
            return isTableRight ? join.getLeft() : join.getRight();
        }

        RelNode large() {
            return isTableRight ? join.getRight() : join.getLeft();
        }
    }

    /** The source of a column of the table's side. */
    private record Source(TableScan scan, int column) {}

    /** Plans the query whose parameters behind the statement's own have these types. */
    @FunctionalInterface
    interface WiderPlanner {
        StatementPlan plan(RelNode query, List<ColumnType> keyTypes);
    }

    private SemiJoinReduction(RexBuilder rexBuilder, int firstKey) {
        this.rexBuilder = rexBuilder;
        this.firstKey = firstKey;
    }

    /**
     * The other way, if there is one that reads no table whole which the plan reads whole.
     *
     * @param parameters of the statement
     */
    static Optional<StatementPlan.SemiJoin> of(
            RelNode query,
            StatementPlan plan,
            int parameters,
            Function<RelNode, StatementPlan> planner,
            WiderPlanner widerPlanner) {
        if (wholeTables(plan).isEmpty()) {
            return Optional.empty();
        }
        SemiJoinReduction narrowing = new SemiJoinReduction(query.getCluster().getRexBuilder(), parameters);
        Choice choice = narrowing.find(query, wholeTables(plan));
        if (choice == null) {
            return Optional.empty();
        }
        StatementPlan keys = planner.apply(narrowing.keys(choice));
        List<ColumnType> types =
                Collections.nCopies(MOST_KEYS, keys.columns().getFirst().type());
        StatementPlan narrowed = widerPlanner.plan(narrowing.narrowed(query, choice), types);
        return wholeTables(narrowed).size() < wholeTables(plan).size()
                ? Optional.of(new StatementPlan.SemiJoin(keys, narrowed))
                : Optional.empty();
    }

    /** Tables that fragments bring together without help of an index, as often as they do. */
    private static List<Integer> wholeTables(StatementPlan plan) {
        List<Integer> tables = new ArrayList<>();
        for (StatementPlan.Fragment fragment : plan.fragments()) {
            if (fragment.operation() instanceof Operation.Query(Relation relation)) {
                for (Relation operator : Operators.of(relation)) {
                    if (operator instanceof Relation.TableScan scan) {
                        tables.add(scan.table());
                    }
                }
            }
        }
        return tables;
    }

    private @Nullable Choice find(RelNode rel, List<Integer> wholeTables) {
        if (rel instanceof Join join) {
            for (RexNode condition : RelOptUtil.conjunctions(join.getCondition())) {
                Choice choice = choice(join, condition, wholeTables);
                if (choice != null) {
                    return choice;
                }
            }
        }
        for (RelNode input : rel.getInputs()) {
            Choice choice = find(input, wholeTables);
            if (choice != null) {
                return choice;
            }
        }
        return null;
    }

    private @Nullable Choice choice(Join join, RexNode condition, List<Integer> wholeTables) {
        if (!(condition instanceof RexCall equality) || equality.getKind() != SqlKind.EQUALS) {
            return null;
        }
        RexNode first = equality.getOperands().getFirst();
        RexNode second = equality.getOperands().get(1);
        Choice choice = choice(join, first, second, wholeTables);
        return choice == null ? choice(join, second, first, wholeTables) : choice;
    }

    private @Nullable Choice choice(Join join, RexNode column, RexNode key, List<Integer> wholeTables) {
        int left = join.getLeft().getRowType().getFieldCount();
        if (!(plain(column) instanceof RexInputRef reference) || RexUtil.containsCorrelation(key)) {
            return null;
        }
        boolean isTableRight = reference.getIndex() >= left;
        boolean narrows = join.getJoinType() == JoinRelType.INNER
                || (isTableRight ? join.getJoinType() != JoinRelType.RIGHT : join.getJoinType() == JoinRelType.SEMI);
        ImmutableBitSet used = RelOptUtil.InputFinder.bits(key);
        boolean isOther = !used.isEmpty()
                && (isTableRight ? used.nextSetBit(left) < 0 : used.nextSetBit(0) >= left)
                && RexUtil.isDeterministic(key);
        if (!narrows || !isOther || join.getJoinType() == JoinRelType.FULL) {
            return null;
        }
        Source source = isTableRight
                ? source(join.getRight(), reference.getIndex() - left)
                : source(join.getLeft(), reference.getIndex());
        if (source == null) {
            return null;
        }
        Table table = table(source.scan());
        RexNode own = isTableRight ? key : RexUtil.shift(key, -left);
        Choice choice = new Choice(join, isTableRight, source.scan(), source.column(), own);
        boolean isWorth = wholeTables.contains(table.id())
                && !table.isReplicated()
                && isServed(table, source.column())
                && isSelective(choice.small())
                && RelOptUtil.getVariablesUsed(choice.small()).isEmpty();
        return isWorth ? choice : null;
    }

    /** Without a cast to wider integers, which an index does not mind. */
    private static RexNode plain(RexNode value) {
        boolean isCast = value instanceof RexCall call
                && call.getKind() == SqlKind.CAST
                && isInteger(call)
                && isInteger(call.getOperands().getFirst())
                && typeName(call.getOperands().getFirst()).compareTo(typeName(call)) <= 0;
        return isCast ? ((RexCall) value).getOperands().getFirst() : value;
    }

    private static boolean isInteger(RexNode value) {
        return SqlTypeName.INT_TYPES.contains(typeName(value));
    }

    private static SqlTypeName typeName(RexNode value) {
        return value.getType().getSqlTypeName();
    }

    private static Table table(TableScan scan) {
        CatalogTable known = scan.getTable().unwrap(CatalogTable.class);
        if (known == null) {
            throw new IllegalStateException("a scan that was found is of the catalog");
        }
        return known.table();
    }

    /** The table under projections and filters; null if the side is anything else. */
    private static @Nullable Source source(RelNode rel, int column) {
        return switch (rel) {
            case TableScan scan when scan.getTable().unwrap(CatalogTable.class) != null -> new Source(scan, column);
            case Filter filter -> source(filter.getInput(), column);
            case Project project
            when project.getProjects().get(column) instanceof RexInputRef reference ->
                source(project.getInput(), reference.getIndex());
            default -> null;
        };
    }

    private static boolean isServed(Table table, int column) {
        Expression subject = new Expression.ColumnReference(
                column, table.columns().get(column).type(), true);
        Expression equality = Expressions.strict(
                ScalarFunction.EQUAL, Expressions.BOOLEAN, subject, new Expression.Parameter(0, subject.type()));
        return AccessPath.choose(table, List.of(equality), 0, List.of()) != null;
    }

    /** Whether its rows are likely to be few, or cheaply found to be many. */
    private boolean isSelective(RelNode rel) {
        return switch (rel) {
            case Values values -> true;
            case Filter filter -> isByIndex(filter) || isSelective(filter.getInput());
            case Project project -> isSelective(project.getInput());
            case Aggregate aggregate -> aggregate.getGroupCount() == 0 || isSelective(aggregate.getInput());
            case Sort sort -> sort.fetch != null || isSelective(sort.getInput());
            case Join join ->
                switch (join.getJoinType()) {
                    case INNER -> isSelective(join.getLeft()) || isSelective(join.getRight());
                    case LEFT, SEMI, ANTI -> isSelective(join.getLeft());
                    case RIGHT -> isSelective(join.getRight());
                    case FULL -> isSelective(join.getLeft()) && isSelective(join.getRight());
                    default -> false;
                };
            default -> false;
        };
    }

    /** Whether an index finds the rows by equality. */
    private boolean isByIndex(Filter filter) {
        RelNode rest = filter;
        List<Expression> conditions = new ArrayList<>();
        while (rest instanceof Filter inner) {
            for (RexNode condition : RelOptUtil.conjunctions(inner.getCondition())) {
                if (condition instanceof RexCall call && call.getKind() == SqlKind.EQUALS && isPlain(call)) {
                    conditions.add(converted(call));
                }
            }
            rest = inner.getInput();
        }
        return rest instanceof TableScan scan
                && scan.getTable().unwrap(CatalogTable.class) != null
                && AccessPath.choose(table(scan), conditions, 0, List.of()) != null;
    }

    private static boolean isPlain(RexCall equality) {
        RexNode first = equality.getOperands().getFirst();
        RexNode second = equality.getOperands().get(1);
        return (first instanceof RexInputRef && RexUtil.isConstant(second))
                || (second instanceof RexInputRef && RexUtil.isConstant(first));
    }

    /** Only which column is compared with a constant matters. */
    private static Expression converted(RexCall equality) {
        RexNode first = equality.getOperands().getFirst();
        RexInputRef column = (RexInputRef)
                (first instanceof RexInputRef ? first : equality.getOperands().get(1));
        Expression subject =
                new Expression.ColumnReference(column.getIndex(), TypeMapping.columnType(column.getType()), true);
        return Expressions.strict(
                ScalarFunction.EQUAL, Expressions.BOOLEAN, subject, new Expression.Parameter(0, subject.type()));
    }

    /** The query for the keys, one more than there is room for. */
    private RelNode keys(Choice choice) {
        RelNode projected =
                LogicalProject.create(choice.small(), List.of(), List.of(choice.key()), List.of("KEY"), Set.of());
        RelNode distinct = LogicalAggregate.create(projected, List.of(), ImmutableBitSet.of(0), null, List.of());
        return LogicalSort.create(
                distinct, RelCollations.EMPTY, null, rexBuilder.makeExactLiteral(BigDecimal.valueOf(MOST_KEYS + 1)));
    }

    /** The query, with the keys as condition of the table. */
    private RelNode narrowed(RelNode rel, Choice choice) {
        if (rel.equals(choice.join())) {
            RelNode large = withKeys(choice.large(), choice);
            List<RelNode> inputs =
                    choice.isTableRight() ? List.of(choice.small(), large) : List.of(large, choice.small());
            return rel.copy(rel.getTraitSet(), inputs);
        }
        List<RelNode> inputs = new ArrayList<>();
        for (RelNode input : rel.getInputs()) {
            inputs.add(narrowed(input, choice));
        }
        return inputs.equals(rel.getInputs()) ? rel : rel.copy(rel.getTraitSet(), inputs);
    }

    private RelNode withKeys(RelNode rel, Choice choice) {
        if (rel.equals(choice.scan())) {
            return LogicalFilter.create(rel, isKey(choice));
        }
        if (rel instanceof Filter filter && filter.getInput().equals(choice.scan())) {
            return LogicalFilter.create(
                    choice.scan(),
                    RexUtil.composeConjunction(rexBuilder, List.of(filter.getCondition(), isKey(choice))));
        }
        return rel.copy(rel.getTraitSet(), List.of(withKeys(rel.getInputs().getFirst(), choice)));
    }

    private RexNode isKey(Choice choice) {
        RexNode plain = rexBuilder.makeInputRef(choice.scan(), choice.column());
        RelDataType type = choice.key().getType();
        boolean isSame = !isInteger(plain) || typeName(plain) == type.getSqlTypeName();
        RexNode column = isSame ? plain : rexBuilder.makeCast(type, plain);
        List<RexNode> equalities = new ArrayList<>(MOST_KEYS);
        for (int i = 0; i < MOST_KEYS; i++) {
            RexNode key = rexBuilder.makeDynamicParam(type, firstKey + i);
            equalities.add(rexBuilder.makeCall(SqlStdOperatorTable.EQUALS, column, key));
        }
        return RexUtil.composeDisjunction(rexBuilder, equalities);
    }
}
