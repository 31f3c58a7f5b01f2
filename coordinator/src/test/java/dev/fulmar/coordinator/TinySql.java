package dev.fulmar.coordinator;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Expression.Call;
import dev.fulmar.engine.plan.Expression.ColumnReference;
import dev.fulmar.engine.plan.Expression.Parameter;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.RowLock;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.spi.Invocation;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Just enough SQL for tests: statements on single rows by primary key, all rows, sums, and EXPLAIN. Tables have one key
 * column, the first.
 */
final class TinySql implements SqlFrontend {
    private static final Pattern SELECT = Pattern.compile("SELECT (.+) FROM (\\w+) WHERE (\\w+) = \\?");
    private static final Pattern ALL = Pattern.compile("SELECT ([\\w, ]+) FROM (\\w+)( ORDER BY 1)?");
    private static final Pattern SUM_OF_TWO =
            Pattern.compile("SELECT SUM\\((\\w+)\\) FROM (\\w+) WHERE (\\w+) IN \\(\\?, \\?\\)");
    private static final Pattern SUM_OF_RANGE =
            Pattern.compile("SELECT SUM\\((\\w+)\\) FROM (\\w+) WHERE (\\w+) BETWEEN \\? AND \\?");
    private static final Pattern SUM = Pattern.compile("SELECT SUM\\((\\w+)\\) FROM (\\w+)");
    private static final Pattern INSERT = Pattern.compile("(INSERT|UPSERT) INTO (\\w+)(?: \\(.+\\))? VALUES ?\\(.+\\)");
    private static final Pattern INSERT_IN_STEPS = Pattern.compile("INSERT INTO (\\w+) SELECT \\?, \\?");
    private static final Pattern UPDATE = Pattern.compile("UPDATE (\\w+) SET (.+) WHERE (\\w+) = \\?");
    private static final Pattern UPDATE_OF_TWO =
            Pattern.compile("UPDATE (\\w+) SET (.+) WHERE (\\w+) IN \\(\\?, \\?\\)");
    private static final Pattern DELETE = Pattern.compile("DELETE FROM (\\w+) WHERE (\\w+) = \\?");

    private static final List<Map.Entry<String, RowLock>> LOCKS = List.of(
            Map.entry(" FOR UPDATE", RowLock.EXCLUSIVE),
            Map.entry(" FOR UPDATE NOWAIT", RowLock.EXCLUSIVE_AT_ONCE),
            Map.entry(" FOR UPDATE SKIP LOCKED", RowLock.EXCLUSIVE_OR_SKIP),
            Map.entry(" FOR SHARE SKIP LOCKED", RowLock.SHARED_OR_SKIP),
            Map.entry(" FOR SHARE", RowLock.SHARED));

    private static final Pattern INVOCATION =
            Pattern.compile("(CALL|SELECT \\* FROM) ([\\w.]+)\\(((?:\\?(?:, )?)*)\\)");

    private static final Pattern WHOLE = Pattern.compile("= (\\d+)");

    @Override
    public List<String> split(String script) {
        return List.of(script.split(";"));
    }

    /** Whatever is compared with a number. */
    @Override
    public Optional<Generalised> generalise(String sql) {
        List<Literal> literals = WHOLE.matcher(sql)
                .results()
                .<Literal>map(found -> new Literal.Whole(Long.parseLong(found.group(1))))
                .toList();
        return literals.isEmpty()
                ? Optional.empty()
                : Optional.of(new Generalised(WHOLE.matcher(sql).replaceAll("= ?"), literals));
    }

    @Override
    public Compiled compile(String sql, Catalog catalog) {
        String text = sql.replace("\"", "").toUpperCase(Locale.ROOT).trim();
        for (Map.Entry<String, RowLock> clause : LOCKS) {
            if (text.endsWith(clause.getKey())) {
                String query = text.substring(0, text.length() - clause.getKey().length());
                Compiled.Runnable plain = (Compiled.Runnable) compile(query, catalog);
                return new Compiled.Runnable(plain.plan().locking(Optional.of(clause.getValue())));
            }
        }
        if (text.startsWith("EXPLAIN ")) {
            return new Compiled.Explanation(List.of("plan of", text.substring(8)), Optional.empty());
        }
        Matcher select = SELECT.matcher(text);
        if (select.matches()) {
            return new Compiled.Runnable(select(sql, catalog.table(select.group(2)), select.group(1)));
        }
        Matcher sum = SUM.matcher(text);
        if (sum.matches()) {
            return new Compiled.Runnable(sum(sql, catalog.table(sum.group(2)), sum.group(1)));
        }
        Matcher all = ALL.matcher(text);
        if (all.matches()) {
            return new Compiled.Runnable(all(sql, catalog.table(all.group(2)), all.group(1), all.group(3) != null));
        }
        Matcher two = SUM_OF_TWO.matcher(text);
        if (two.matches()) {
            return new Compiled.Runnable(sumOfTwo(sql, catalog.table(two.group(2)), two.group(1)));
        }
        Matcher range = SUM_OF_RANGE.matcher(text);
        if (range.matches()) {
            return new Compiled.Runnable(sumOfRange(sql, catalog.table(range.group(2)), range.group(1)));
        }
        Matcher insert = INSERT.matcher(text);
        if (insert.matches()) {
            return new Compiled.Runnable(
                    insert(sql, catalog.table(insert.group(2)), insert.group(1).equals("UPSERT")));
        }
        Matcher steps = INSERT_IN_STEPS.matcher(text);
        if (steps.matches()) {
            return new Compiled.Runnable(insertInSteps(sql, catalog.table(steps.group(1))));
        }
        Matcher update = UPDATE.matcher(text);
        if (update.matches()) {
            return new Compiled.Runnable(update(sql, catalog.table(update.group(1)), update.group(2), 1));
        }
        Matcher both = UPDATE_OF_TWO.matcher(text);
        if (both.matches()) {
            return new Compiled.Runnable(update(sql, catalog.table(both.group(1)), both.group(2), 2));
        }
        Matcher delete = DELETE.matcher(text);
        if (delete.matches()) {
            Table table = catalog.table(delete.group(1));
            Operation operation = new Operation.Delete(table.id(), byKey(table, 0));
            return new Compiled.Runnable(plan(sql, List.of(type(table, 0)), List.of(), write(table, 0), operation));
        }
        return invocation(text);
    }

    private static Compiled invocation(String text) {
        Matcher invocation = INVOCATION.matcher(text);
        if (!invocation.matches()) {
            throw new FulmarException(ErrorCode.SYNTAX, "not understood: " + text);
        }
        return new Compiled.Call(new Invocation(
                invocation.group(1).equals("CALL") ? Invocation.Form.CALL : Invocation.Form.ROWS,
                invocation.group(2),
                invocation.group(2),
                Collections.nCopies(
                        (int) invocation
                                .group(3)
                                .chars()
                                .filter(each -> each == '?')
                                .count(),
                        new Invocation.Argument.Marker(Optional.empty())),
                ZoneOffset.UTC));
    }

    /** All rows, in the order of the first column if that is asked for. */
    private static StatementPlan all(String sql, Table table, String list, boolean ordered) {
        List<ResultColumn> columns = columns(table, list);
        Relation rows =
                new Relation.Project(new Relation.TableScan(table.id(), types(table), null), expressions(table, list));
        Relation.SortKey key =
                new Relation.SortKey(new ColumnReference(0, columns.getFirst().type(), true), false, false);
        PartitionScope scope = table.isReplicated() ? new PartitionScope.Any() : new PartitionScope.All();
        return new StatementPlan(
                sql,
                List.of(),
                columns,
                List.of(new StatementPlan.Fragment(scope, new Operation.Query(rows))),
                ordered
                        ? Optional.of(new Relation.Sort(new Relation.Receive(0, rows.columns()), List.of(key)))
                        : Optional.empty());
    }

    private static List<ResultColumn> columns(Table table, String list) {
        return Arrays.stream(list.split(", "))
                .map(name -> new ResultColumn(name, type(table, table.columnIndex(name)), true))
                .toList();
    }

    private static List<Expression> expressions(Table table, String list) {
        return Arrays.stream(list.split(", "))
                .map(name -> reference(table, table.columnIndex(name)))
                .toList();
    }

    private static StatementPlan select(String sql, Table table, String list) {
        List<ResultColumn> columns = columns(table, list);
        List<Expression> expressions = expressions(table, list);
        Operation operation = new Operation.Query(new Relation.Project(byKey(table, 0), expressions));
        PartitionScope scope = table.isReplicated() ? new PartitionScope.Any() : keys(table, 0);
        return plan(sql, List.of(type(table, 0)), columns, scope, operation);
    }

    private static StatementPlan sum(String sql, Table table, String name) {
        PartitionScope scope = table.isReplicated() ? new PartitionScope.Any() : new PartitionScope.All();
        return sum(sql, List.of(), new Relation.TableScan(table.id(), types(table), null), scope, table, name);
    }

    /** Of a partitioned table. */
    private static StatementPlan sumOfTwo(String sql, Table table, String name) {
        ColumnType type = type(table, 0);
        return sum(sql, List.of(type, type), ofTwo(table, 0), new PartitionScope.Keys(keys(table, 0, 2)), table, name);
    }

    private static StatementPlan sumOfRange(String sql, Table table, String name) {
        ColumnType type = type(table, 0);
        List<Expression> ends = keys(table, 0, 2);
        Expression within = condition(
                ScalarFunction.AND,
                condition(ScalarFunction.GREATER_OR_EQUAL, reference(table, 0), ends.getFirst()),
                condition(ScalarFunction.LESS_OR_EQUAL, reference(table, 0), ends.getLast()));
        Relation rows = new Relation.TableScan(table.id(), types(table), within);
        return sum(sql, List.of(type, type), rows, new PartitionScope.All(), table, name);
    }

    private static Expression condition(ScalarFunction function, Expression left, Expression right) {
        return new Call(function, List.of(left, right), ColumnType.of(TypeKind.BOOLEAN), true);
    }

    /** The rows of two keys, which are parameters. */
    private static Relation ofTwo(Table table, int firstParameter) {
        ColumnType truth = ColumnType.of(TypeKind.BOOLEAN);
        List<Expression> either = keys(table, firstParameter, 2).stream()
                .<Expression>map(key -> new Call(ScalarFunction.EQUAL, List.of(reference(table, 0), key), truth, true))
                .toList();
        return new Relation.TableScan(table.id(), types(table), new Call(ScalarFunction.OR, either, truth, true));
    }

    private static List<Expression> keys(Table table, int firstParameter, int count) {
        return IntStream.range(firstParameter, firstParameter + count)
                .<Expression>mapToObj(parameter -> new Parameter(parameter, type(table, 0)))
                .toList();
    }

    private static StatementPlan sum(
            String sql, List<ColumnType> parameters, Relation scan, PartitionScope scope, Table table, String name) {
        ColumnType bigint = ColumnType.of(TypeKind.BIGINT);
        Relation.AggregateCall call = new Relation.AggregateCall(
                Relation.AggregateFunction.SUM, reference(table, table.columnIndex(name)), false, null, bigint);
        Relation partial = new Relation.Aggregate(scan, List.of(), List.of(call));
        Relation.AggregateCall total = new Relation.AggregateCall(
                Relation.AggregateFunction.SUM, new ColumnReference(0, bigint, true), false, null, bigint);
        Relation merge = new Relation.Aggregate(new Relation.Receive(0, List.of(bigint)), List.of(), List.of(total));
        return new StatementPlan(
                sql,
                parameters,
                List.of(new ResultColumn("SUM", bigint, true)),
                List.of(new StatementPlan.Fragment(scope, new Operation.Query(partial))),
                Optional.of(merge));
    }

    private static StatementPlan insert(String sql, Table table, boolean upsert) {
        List<ColumnType> types = types(table);
        List<Expression> row = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            row.add(new Parameter(i, types.get(i)));
        }
        Operation operation = new Operation.Insert(table.id(), new Relation.Values(types, List.of(row)), upsert);
        return plan(sql, types, List.of(), write(table, 0), operation);
    }

    /** Finds the row anywhere, and then inserts it where it belongs. */
    private static StatementPlan insertInSteps(String sql, Table table) {
        List<ColumnType> types = types(table);
        List<Expression> row = new ArrayList<>();
        List<ResultColumn> columns = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            row.add(new Parameter(i, types.get(i)));
            columns.add(new ResultColumn(table.columns().get(i).name(), types.get(i), true));
        }
        Operation source = new Operation.Query(new Relation.Values(types, List.of(row)));
        return StatementPlan.inSteps(
                sql,
                types,
                new StatementPlan.Steps(
                        plan(sql, types, columns, new PartitionScope.Any(), source),
                        List.of(insert(sql, table, false))));
    }

    /** {@code column = ?} or {@code column = column + ?} for each column, of one key or two. */
    private static StatementPlan update(String sql, Table table, String list, int keys) {
        List<Operation.Assignment> assignments = new ArrayList<>();
        List<ColumnType> parameters = new ArrayList<>();
        for (String text : list.split(", ")) {
            int column = table.columnIndex(text.substring(0, text.indexOf(' ')));
            Expression value = new Parameter(parameters.size(), type(table, column));
            if (text.contains("+")) {
                value = new Call(
                        ScalarFunction.PLUS, List.of(reference(table, column), value), type(table, column), true);
            }
            parameters.add(type(table, column));
            assignments.add(new Operation.Assignment(column, value));
        }
        int key = parameters.size();
        parameters.addAll(Collections.nCopies(keys, type(table, 0)));
        Relation rows = keys == 1 ? byKey(table, key) : ofTwo(table, key);
        PartitionScope scope =
                table.isReplicated() ? new PartitionScope.Replicas() : new PartitionScope.Keys(keys(table, key, keys));
        return plan(sql, parameters, List.of(), scope, new Operation.Update(table.id(), rows, assignments));
    }

    private static StatementPlan plan(
            String sql,
            List<ColumnType> parameters,
            List<ResultColumn> columns,
            PartitionScope scope,
            Operation operation) {
        return new StatementPlan(
                sql, parameters, columns, List.of(new StatementPlan.Fragment(scope, operation)), Optional.empty());
    }

    private static Relation byKey(Table table, int parameter) {
        Index primary = table.indexes().getFirst();
        Relation.IndexKey key = new Relation.IndexKey(
                primary.id(), List.of(new Parameter(parameter, type(table, 0))), Optional.empty(), Optional.empty());
        return new Relation.IndexScan(table.id(), types(table), key, false, null);
    }

    private static PartitionScope write(Table table, int keyParameter) {
        return table.isReplicated() ? new PartitionScope.Replicas() : keys(table, keyParameter);
    }

    private static PartitionScope keys(Table table, int parameter) {
        return new PartitionScope.Keys(List.of(new Parameter(parameter, type(table, 0))));
    }

    private static Expression reference(Table table, int column) {
        return new ColumnReference(column, type(table, column), true);
    }

    private static ColumnType type(Table table, int column) {
        return table.columns().get(column).type();
    }

    private static List<ColumnType> types(Table table) {
        return IntStream.range(0, table.columns().size())
                .mapToObj(column -> type(table, column))
                .toList();
    }
}
