package dev.fulmar.sql.explain;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Operators;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.sql.estimate.Estimates;
import dev.fulmar.sql.estimate.StatisticsUse;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A plan as EXPLAIN shows it: fragments with their partitions, and the operators as a tree. */
public final class PlanPrinter {
    private static final int MOST_SHOWN = 16;
    private static final int SHOWN_OF_MANY = 2;
    private static final MathContext DIGITS = new MathContext(3);

    private final Catalog catalog;
    private final List<Relation.Line> lines = new ArrayList<>();

    /** The part that is being printed, negative for none, and how many of its operators were. */
    private int part = -1;

    private int operators;

    private final StatisticsUse statisticsUse;

    /** The estimates of the plan that is being printed. */
    private Estimates estimates;

    /** The fragments of the same plan, whose rows received rows are. */
    private List<StatementPlan.Fragment> fragments;

    private PlanPrinter(StatementPlan plan, Catalog catalog, StatisticsUse statisticsUse) {
        this.catalog = catalog;
        this.statisticsUse = statisticsUse;
        this.estimates = estimates(plan);
        this.fragments = plan.fragments();
    }

    /** The lines. */
    public static List<String> print(StatementPlan plan, Catalog catalog) {
        return print(plan, catalog, StatisticsUse.none());
    }

    /** The lines, with the rows that operators are estimated to yield where enough is known of the tables. */
    public static List<String> print(StatementPlan plan, Catalog catalog, StatisticsUse statisticsUse) {
        PlanPrinter printer = new PlanPrinter(plan, catalog, statisticsUse);
        printer.header(plan);
        if (plan.steps().isPresent()) {
            printer.steps(plan.steps().get());
        } else {
            printer.snapshot(plan);
            printer.parts(0, plan);
        }
        return printer.lines.stream().map(Relation.Line::text).toList();
    }

    /** The lines of a query's fragments, each a part of its number, and of its merge, the part behind those. */
    public static List<Relation.Line> measurable(StatementPlan plan, Catalog catalog, StatisticsUse statisticsUse) {
        PlanPrinter printer = new PlanPrinter(plan, catalog, statisticsUse);
        printer.header(plan);
        printer.snapshot(plan);
        printer.part = 0;
        printer.fragments(0, plan);
        return List.copyOf(printer.lines);
    }

    /** The lines of what the query does where one partition has all that it reads, a part of that number. */
    public static List<Relation.Line> measurable(
            StatementPlan plan, Relation relation, int number, Catalog catalog, StatisticsUse statisticsUse) {
        PlanPrinter printer = new PlanPrinter(plan, catalog, statisticsUse);
        printer.header(plan);
        printer.line(0, "one partition has all of these");
        printer.part = number;
        printer.relation(1, relation);
        return List.copyOf(printer.lines);
    }

    private void begin(StatementPlan plan) {
        estimates = estimates(plan);
        fragments = plan.fragments();
    }

    private Estimates estimates(StatementPlan plan) {
        return new Estimates(
                statisticsUse,
                number -> ((Operation.Query) plan.fragments().get(number).operation()).relation());
    }

    private void header(StatementPlan plan) {
        if (!plan.columns().isEmpty()) {
            line(
                    0,
                    "result: "
                            + plan.columns().stream().map(PlanPrinter::column).collect(Collectors.joining(", ")));
        }
    }

    private void snapshot(StatementPlan plan) {
        plan.lock().ifPresent(lock -> line(0, "in a session, its rows must stay as they are until COMMIT"));
        String snapshot = snapshotOf(plan);
        if (snapshot != null) {
            line(0, snapshot);
        }
    }

    private void fragments(int depth, StatementPlan plan) {
        begin(plan);
        for (int i = 0; i < plan.fragments().size(); i++) {
            StatementPlan.Fragment fragment = plan.fragments().get(i);
            line(depth, "fragment " + i + " on " + scope(fragment));
            operation(depth + 1, fragment.operation());
            nextPart();
        }
        plan.merge().ifPresent(merge -> {
            line(depth, "merge");
            relation(depth + 1, merge);
        });
    }

    private void nextPart() {
        operators = 0;
        part += part < 0 ? 0 : 1;
    }

    /**
     * Whether it is read as a snapshot, without locks; null for a write, and for what takes its turn on one partition.
     */
    private static @Nullable String snapshotOf(StatementPlan plan) {
        if (!plan.isReadOnly()) {
            return null;
        }
        List<PartitionScope> scopes = plan.fragments().stream()
                .map(StatementPlan.Fragment::scope)
                .filter(scope -> !(scope instanceof PartitionScope.Any))
                .distinct()
                .toList();
        if (scopes.stream().anyMatch(scope -> !(scope instanceof PartitionScope.Keys))) {
            return "a snapshot of all partitions";
        }
        boolean isOne = scopes.stream()
                        .map(PartitionScope.Keys.class::cast)
                        .flatMap(keys -> keys.values().stream())
                        .distinct()
                        .count()
                <= 1;
        return isOne ? null : "a snapshot, unless all keys belong to one partition";
    }

    /** Prints a write, and what keeps its keys over partitions whole. */
    private void upkeep(int depth, StatementPlan.Steps steps) {
        parts(depth, steps.written());
        for (int i = 0; i < steps.changes().size(); i++) {
            StatementPlan change = steps.changes().get(i);
            line(
                    depth,
                    switch (steps.demands().get(i).rows()) {
                        case ANY -> "then, for each key";
                        case NONE -> "then there must be no row, for each key";
                        case AT_MOST_ONE -> "then there must be one row at most, for each key";
                        case AT_LEAST_ONE -> "then there must be a row, for each key";
                        case ONE_OR_UNDONE -> "then it is undone if there is another row, for each key";
                    });
            if (change.steps().isPresent()) {
                upkeep(depth + 1, change.steps().get());
            } else {
                parts(depth + 1, change);
            }
        }
    }

    private void steps(StatementPlan.Steps steps) {
        if (steps.isUpkeep()) {
            upkeep(0, steps);
            return;
        }
        line(0, "reads");
        parts(1, steps.source());
        for (int i = 0; i < steps.changes().size(); i++) {
            StatementPlan change = steps.changes().get(i);
            line(0, steps.chosen() ? "for each row that begins with " + i : "for each row, ? being its columns");
            if (change.steps().isPresent()) {
                upkeep(1, change.steps().get());
            } else {
                parts(1, change);
            }
        }
    }

    private void parts(int depth, StatementPlan plan) {
        fragments(depth, plan);
        plan.narrowing().ifPresent(way -> {
            int room = way.narrow().parameters().size() - plan.parameters().size();
            line(depth, "or, where these keys are at most " + room);
            fragments(depth + 1, way.keys());
            line(depth, "then, with the keys");
            fragments(depth + 1, way.narrow());
        });
        plan.onOnePartition().ifPresent(relation -> {
            begin(plan);
            line(depth, "or, where one partition has all of these");
            relation(depth + 1, relation);
        });
    }

    /** Prints the materialized views that change with the table. */
    private void views(int depth, Table written) {
        for (Table view : catalog.tables().values()) {
            if (view.aggregates(written)) {
                line(depth, "keeps materialized view " + view.name());
            }
        }
    }

    private static String few(List<String> values) {
        return values.size() <= MOST_SHOWN
                ? String.join(", ", values)
                : String.join(", ", values.subList(0, SHOWN_OF_MANY)) + ", ... (" + values.size() + ")";
    }

    private static String column(ResultColumn column) {
        return column.name() + " " + column.type() + (column.nullable() ? "" : " NOT NULL");
    }

    private void line(int depth, String text) {
        lines.add(new Relation.Line("  ".repeat(depth) + text, -1, 0));
    }

    /** The line of an operator; they come in the order of {@link Operators}. */
    private void operator(int depth, String text) {
        lines.add(new Relation.Line("  ".repeat(depth) + text, part, operators++));
    }

    private String scope(StatementPlan.Fragment fragment) {
        return switch (fragment.scope()) {
            case PartitionScope.Any any -> "any partition";
            case PartitionScope.All all -> "all partitions";
            case PartitionScope.Replicas replicas -> "all partitions, as copies";
            case PartitionScope.Keys keys ->
                (keys.values().size() == 1 ? "partition of " : "partitions of ")
                        + few(keys.values().stream()
                                .map(value -> ExpressionPrinter.print(value, List.of()))
                                .toList());
            case PartitionScope.ByRow byRow ->
                "the partition of each row's " + byRowColumn(fragment.operation(), byRow.column());
        };
    }

    private String byRowColumn(Operation operation, int column) {
        if (!(operation instanceof Operation.Insert insert)) {
            return "column " + column;
        }
        Column placing = table(insert.table()).columns().get(column);
        return placing.isRowId() ? "hidden id" : placing.name();
    }

    private void conflict(int depth, Operation.Insert insert) {
        switch (insert.onConflict()) {
            case ConflictAction.Fail _, ConflictAction.Replace _ -> {
                // The words before the table say so.
            }
            case ConflictAction.Skip(int index)
            when index == ConflictAction.Skip.ANY -> line(depth, "unless it has a unique key of a row that is there");
            case ConflictAction.Skip(int index) ->
                line(depth, "unless a row has its " + index(insert, index).name());
            case ConflictAction.Change change -> {
                List<String> names = new ArrayList<>();
                List<Column> columns = table(insert.table()).columns();
                columns.forEach(column -> names.add(column.name()));
                columns.forEach(column -> names.add("EXCLUDED." + column.name()));
                String condition =
                        change.condition() == null ? "" : " if " + ExpressionPrinter.print(change.condition(), names);
                line(
                        depth,
                        "or, if a row has its " + index(insert, change.index()).name() + ", set "
                                + assignments(change.assignments(), names) + condition);
            }
        }
    }

    private Index index(Operation.Insert insert, int id) {
        return table(insert.table()).indexes().stream()
                .filter(index -> index.id() == id)
                .findFirst()
                .orElseThrow();
    }

    private static String assignments(List<Operation.Assignment> assignments, List<String> names) {
        return assignments.stream()
                .map(each -> names.get(each.column()) + " = " + ExpressionPrinter.print(each.value(), names))
                .collect(Collectors.joining(", "));
    }

    private void operation(int depth, Operation operation) {
        switch (operation) {
            case Operation.Query query -> relation(depth, query.relation());
            case Operation.Insert insert -> {
                line(
                        depth,
                        (insert.onConflict() instanceof ConflictAction.Replace ? "upsert into " : "insert into ")
                                + table(insert.table()).name());
                conflict(depth + 1, insert);
                views(depth + 1, table(insert.table()));
                relation(depth + 1, insert.source());
                returning(depth, insert.table(), insert.returning());
            }
            case Operation.Update update -> {
                List<String> names = names(update.target());
                line(
                        depth,
                        "update " + table(update.table()).name() + " set " + assignments(update.assignments(), names));
                views(depth + 1, table(update.table()));
                relation(depth + 1, update.target());
                returning(depth, update.table(), update.returning());
            }
            case Operation.Delete delete -> {
                line(depth, "delete from " + table(delete.table()).name());
                views(depth + 1, table(delete.table()));
                relation(depth + 1, delete.target());
                returning(depth, delete.table(), delete.returning());
            }
        }
    }

    private void returning(int depth, int table, List<Expression> values) {
        if (!values.isEmpty()) {
            line(depth, "returning " + ExpressionPrinter.print(values, columnNames(table)));
        }
    }

    private Table table(int id) {
        return catalog.tables().values().stream()
                .filter(table -> table.id() == id)
                .findFirst()
                .orElseThrow(() -> Invariants.breach("table " + id + " of a plan is in its catalog"));
    }

    private static Index index(Table table, int id) {
        return table.indexes().stream()
                .filter(index -> index.id() == id)
                .findFirst()
                .orElseThrow(() -> Invariants.breach("index " + id + " of a plan is in its catalog"));
    }

    private void relation(int depth, Relation relation) {
        operator(depth, describe(relation) + about(1, relation));
        if (relation instanceof Relation.IndexJoin join) {
            relation(depth + 1, join.left());
            operator(
                    depth + 1,
                    indexScan(join.right(), names(join.left())) + about(estimates.rows(join.left()), join.right()));
        } else {
            Operators.inputs(relation).forEach(input -> relation(depth + 1, input));
        }
    }

    /** The rows that the operator yields in so many runs, to three digits; nothing where nothing is known. */
    private String about(double runs, Relation relation) {
        if (!statisticsUse.counts()) {
            return "";
        }
        BigDecimal rows = BigDecimal.valueOf(Math.max(1, runs * estimates.rows(relation)))
                .round(DIGITS)
                .setScale(0, RoundingMode.HALF_UP);
        return " [about " + rows.toPlainString() + (rows.compareTo(BigDecimal.ONE) == 0 ? " row]" : " rows]");
    }

    private String describe(Relation relation) {
        return switch (relation) {
            case Relation.TableScan scan -> "scan " + table(scan.table()).name() + where(scan.filter(), names(scan));
            case Relation.IndexScan scan -> indexScan(scan, List.of());
            case Relation.Filter filter -> "filter " + ExpressionPrinter.print(filter.condition(), names(filter));
            case Relation.Project project ->
                "project " + ExpressionPrinter.print(project.expressions(), names(project.input()));
            case Relation.NestedLoopJoin join ->
                "nested loop join " + join.kind() + on(join.condition(), bothNames(join.left(), join.right()));
            case Relation.IndexJoin join ->
                "index join " + join.kind() + " for each row of the first"
                        + on(join.condition(), bothNames(join.left(), join.right()));
            case Relation.HashJoin join ->
                "hash join " + join.kind() + " " + hashKeys(join)
                        + on(join.condition(), bothNames(join.left(), join.right()));
            case Relation.Apply apply -> "for each row, outer" + apply.row() + ", " + apply.kind();
            case Relation.Aggregate aggregate -> aggregate(aggregate);
            case Relation.Window window -> WindowPrinter.print(window, names(window.input()));
            case Relation.Sort sort -> "sort by " + sortKeys(sort.keys(), names(sort.input()));
            case Relation.Limit limit -> limit(limit);
            case Relation.UnionAll union -> "union all";
            case Relation.Values values ->
                "values "
                        + few(values.rows().stream()
                                .map(row -> "(" + ExpressionPrinter.print(row, List.of()) + ")")
                                .toList());
            case Relation.Recursion recursion ->
                "repeat until nothing " + (recursion.distinct() ? "new " : "") + "is found";
            case Relation.WorkingRows rows -> "rows of the round before";
            case Relation.FunctionRows rows -> ExpressionPrinter.print(rows);
            case Relation.Receive receive -> "receive fragment " + receive.fragment();
            case Relation.Measured measured -> "measure";
            case Relation.Annotated annotated -> "tell";
        };
    }

    private static String where(@Nullable Expression filter, List<String> names) {
        return filter == null ? "" : " where " + ExpressionPrinter.print(filter, names);
    }

    private static String on(@Nullable Expression condition, List<String> names) {
        return condition == null ? "" : " on " + ExpressionPrinter.print(condition, names);
    }

    /** An index scan; the values of its key may name columns of an outer row. */
    private String indexScan(Relation.IndexScan scan, List<String> outer) {
        Table table = table(scan.table());
        Index index = index(table, scan.key().index());
        List<String> terms = new ArrayList<>();
        int position = 0;
        for (Expression value : scan.key().equal()) {
            terms.add(keyColumn(table, index, position++) + " = " + ExpressionPrinter.print(value, outer));
        }
        if (position < index.columns().size()) {
            String next = keyColumn(table, index, position);
            boolean descending = index.columns().get(position).descending();
            scan.key().lower().ifPresent(bound -> terms.add(next + bound(descending ? " <" : " >", bound, outer)));
            scan.key().upper().ifPresent(bound -> terms.add(next + bound(descending ? " >" : " <", bound, outer)));
        }
        String key = terms.isEmpty() ? "" : " key " + String.join(" and ", terms);
        return "index scan " + table.name() + " by " + index.name()
                + " (" + index.kind().name().toLowerCase(Locale.ROOT) + ")" + key
                + (scan.backwards() ? " backwards" : "")
                + where(scan.filter(), names(scan));
    }

    private static String keyColumn(Table table, Index index, int position) {
        return index.columns().get(position).text(table);
    }

    private static String bound(String operator, Relation.Bound bound, List<String> outer) {
        return operator + (bound.inclusive() ? "= " : " ") + ExpressionPrinter.print(bound.value(), outer);
    }

    private String hashKeys(Relation.HashJoin join) {
        List<String> left = names(join.left());
        List<String> right = names(join.right());
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < join.leftKeys().size(); i++) {
            pairs.add(ExpressionPrinter.print(join.leftKeys().get(i), left) + " = "
                    + ExpressionPrinter.print(join.rightKeys().get(i), right));
        }
        return String.join(" and ", pairs);
    }

    private String aggregate(Relation.Aggregate aggregate) {
        List<String> names = names(aggregate.input());
        List<String> parts = new ArrayList<>();
        for (Relation.AggregateCall call : aggregate.calls()) {
            parts.add(call(call, names));
        }
        String keys = aggregate.keys().isEmpty() ? "" : " by " + ExpressionPrinter.print(aggregate.keys(), names);
        return "aggregate" + (parts.isEmpty() ? "" : " " + String.join(", ", parts)) + keys;
    }

    static String call(Relation.AggregateCall call, List<String> names) {
        String argument = call.argument() == null ? "*" : ExpressionPrinter.print(call.argument(), names);
        Relation.Further further = call.further();
        String beside = further.arguments().isEmpty() ? "" : ", " + ExpressionPrinter.print(further.arguments(), names);
        String order = further.order().isEmpty() ? "" : " order by " + sortKeys(further.order(), names);
        String step = switch (further.step()) {
            case WHOLE -> "";
            case PARTIAL -> "part of ";
            case TOTAL -> "total of ";
        };
        return step + call.function() + "(" + (call.distinct() ? "DISTINCT " : "") + argument + beside + order + ")"
                + where(call.filter(), names);
    }

    static String sortKeys(List<Relation.SortKey> keys, List<String> names) {
        return keys.stream()
                .map(key -> ExpressionPrinter.print(key.value(), names)
                        + (key.descending() ? " desc" : "")
                        + (key.nullsFirst() == key.descending()
                                ? ""
                                : key.nullsFirst() ? " nulls first" : " nulls last"))
                .collect(Collectors.joining(", "));
    }

    private static String limit(Relation.Limit limit) {
        return "limit"
                + (limit.fetch() == null ? "" : " " + ExpressionPrinter.print(limit.fetch(), List.of()))
                + (limit.offset() == null ? "" : " offset " + ExpressionPrinter.print(limit.offset(), List.of()));
    }

    private List<String> bothNames(Relation left, Relation right) {
        List<String> names = new ArrayList<>(names(left));
        names.addAll(names(right));
        return names;
    }

    /**
     * Names of the columns of the relation's rows: of the table's columns where they come from one, else $ and the
     * position.
     */
    private List<String> names(Relation relation) {
        return switch (relation) {
            case Relation.TableScan scan ->
                columnNames(scan.table()).subList(0, scan.columns().size());
            case Relation.IndexScan scan ->
                columnNames(scan.table()).subList(0, scan.columns().size());
            case Relation.Filter filter -> names(filter.input());
            case Relation.Window window -> {
                List<String> all = new ArrayList<>(names(window.input()));
                all.addAll(numbered(window.columns().size())
                        .subList(all.size(), window.columns().size()));
                yield all;
            }
            case Relation.Sort sort -> names(sort.input());
            case Relation.Limit limit -> names(limit.input());
            case Relation.Project project -> projectedNames(project.expressions(), names(project.input()));
            case Relation.NestedLoopJoin join -> joinNames(join, join.left(), join.right());
            case Relation.IndexJoin join -> joinNames(join, join.left(), join.right());
            case Relation.HashJoin join -> joinNames(join, join.left(), join.right());
            case Relation.Apply apply -> joinNames(apply, apply.left(), apply.right());
            case Relation.Aggregate aggregate -> aggregateNames(aggregate);
            case Relation.UnionAll union -> names(union.inputs().getFirst());
            case Relation.Values values -> numbered(values.columns().size());
            case Relation.Recursion recursion -> names(recursion.seed());
            case Relation.WorkingRows rows -> numbered(rows.columns().size());
            case Relation.FunctionRows rows -> numbered(rows.columns().size());
            case Relation.Receive receive -> receivedNames(receive);
            case Relation.Measured measured -> names(measured.input());
            case Relation.Annotated annotated -> numbered(annotated.columns().size());
        };
    }

    private List<String> receivedNames(Relation.Receive receive) {
        return fragments.get(receive.fragment()).operation() instanceof Operation.Query(Relation sent)
                        && sent.columns().size() == receive.columns().size()
                ? names(sent)
                : numbered(receive.columns().size());
    }

    private List<String> joinNames(Relation join, Relation left, Relation right) {
        return bothNames(left, right).subList(0, join.columns().size());
    }

    private List<String> aggregateNames(Relation.Aggregate aggregate) {
        List<String> names = new ArrayList<>(projectedNames(aggregate.keys(), names(aggregate.input())));
        for (int i = names.size(); i < aggregate.columns().size(); i++) {
            names.add("$" + i);
        }
        return names;
    }

    private static List<String> projectedNames(List<Expression> expressions, List<String> input) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < expressions.size(); i++) {
            names.add(
                    expressions.get(i) instanceof Expression.ColumnReference reference
                            ? input.get(reference.index())
                            : "$" + i);
        }
        return names;
    }

    private List<String> columnNames(int table) {
        return table(table).columns().stream().map(Column::name).toList();
    }

    private static List<String> numbered(int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add("$" + i);
        }
        return names;
    }
}
