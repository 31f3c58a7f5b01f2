package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.GlobalKeys;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.AssignedColumns;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.calcite.CatalogTable;
import dev.fulmar.sql.calcite.DialectFunctions;
import dev.fulmar.sql.expression.Conversion;
import dev.fulmar.sql.expression.ExpressionConverter;
import dev.fulmar.sql.expression.Expressions;
import dev.fulmar.sql.text.MergeStatement;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;

/**
 * Plans writes that first run a query and then change each row by its key, instead of changing rows while they are
 * found. These are MERGE; UPDATE and DELETE with subqueries; updates that move rows; and INSERT ... SELECT whose rows
 * go elsewhere. The query reads the keys and the new values.
 */
final class StepPlanner {
    /** The statement for rows of DO NOTHING, of which there are none. */
    private static final String NOTHING = "VALUES (1)";

    private final String sql;
    private final List<ColumnType> parameters;
    private final ExpressionConverter converter;
    private final StatementPlanner.Nested nested;
    private final Catalog catalog;

    StepPlanner(
            String sql,
            List<ColumnType> parameters,
            ExpressionConverter converter,
            StatementPlanner.Nested nested,
            Catalog catalog) {
        this.sql = sql;
        this.parameters = parameters;
        this.converter = converter;
        this.nested = nested;
        this.catalog = catalog;
    }

    /** The steps; empty if the statement needs none. */
    Optional<StatementPlan.Steps> plan(TableModify modify, ConflictAction onConflict) {
        Table table = table(modify);
        return switch (modify.getOperation()) {
            case INSERT ->
                canInsertInPlace(table, modify.getInput(), onConflict)
                        ? Optional.empty()
                        : Optional.of(insert(table, modify.getInput(), onConflict));
            case UPDATE ->
                moves(table, modify) || !isSimple(modify.getInput())
                        ? Optional.of(update(keyed(table), modify))
                        : Optional.empty();
            case DELETE ->
                isSimple(modify.getInput()) ? Optional.empty() : Optional.of(delete(keyed(table), modify.getInput()));
            case MERGE -> Optional.empty();
        };
    }

    /** Rows that are left out by keys over partitions are inserted one after another. */
    private boolean canInsertInPlace(Table table, RelNode source, ConflictAction onConflict) {
        ModificationPlanner inPlace = new ModificationPlanner(converter, catalog);
        boolean isOneByOne = onConflict instanceof ConflictAction.Skip(int index)
                && index == ConflictAction.Skip.ANY
                && !GlobalKeys.of(table).isEmpty();
        return inPlace.canInsertInPlace(table, source, onConflict) && !(isOneByOne && !inPlace.isOneRow(source));
    }

    private static Table table(TableModify modify) {
        return Objects.requireNonNull(modify.getTable().unwrap(CatalogTable.class))
                .table();
    }

    /**
     * The steps of a MERGE, whose source's rows have the number of the clause that they meet, and the values of all
     * clauses.
     */
    StatementPlan.Steps merge(Table table, MergeStatement merge, RelNode source) {
        List<StatementPlan> changes = new ArrayList<>();
        List<ColumnType> types = new ArrayList<>(List.of(Expressions.BIGINT));
        List<String> places = new ArrayList<>(List.of(""));
        Numbered numbered = new Numbered();
        int parametersSoFar = 1;
        for (MergeStatement.Clause clause : merge.clauses()) {
            StatementPlan change = switch (clause.action()) {
                case MergeStatement.Update update -> nested.plan(update(table, update));
                case MergeStatement.Delete delete -> nested.plan(deletion(table));
                case MergeStatement.Insert insert -> {
                    List<Integer> given = given(table, merge, insert);
                    List<Integer> drawn = denselyDrawn(table).stream()
                            .filter(column -> !given.contains(column))
                            .toList();
                    numbered.add(table, drawn, changes.size(), parametersSoFar + given.size());
                    ConflictAction onConflict = merge.leftOutBy().isPresent()
                            ? new ConflictAction.Skip(merge.leftOutBy().getAsInt())
                            : ConflictAction.FAIL;
                    yield nested.plan(insertion(table, both(given, drawn), onConflict));
                }
                case MergeStatement.Nothing nothing -> nested.plan(NOTHING);
            };
            if (change.steps().filter(steps -> !steps.isUpkeep()).isPresent()) {
                throw hasSteps(table, clause.action());
            }
            changes.add(change);
            parametersSoFar += change.parameters().size() - numbered.since(changes.size() - 1);
        }
        RowIds.Given given = RowIds.Given.of(changes);
        add(types, places, table, given.changes());
        boolean hasPlaces = merge.constants().isPresent();
        if (hasPlaces) {
            types.add(Expressions.BIGINT);
            places.add("");
            numbered.furtherPlaces = 1;
        }
        RelNode rows = hasPlaces && merge.constants().get().isOfQuery() ? RowNumbering.sourceInOrder(source) : source;
        if (!numbered.sequences.isEmpty()) {
            RelNode all = RowNumbering.added(rows, numbered.clauses, hasPlaces);
            return numbered(all, given, 1, types, places, true, numbered);
        }
        StatementPlan query = StatementPlanner.query(
                sql,
                parameters,
                rows,
                converter,
                relation -> {
                    Relation all = assigned(given.added(relation, 1), types, places);
                    return hasPlaces ? RowNumbering.sortedByLast(all, 1) : RowNumbering.sorted(all);
                },
                StepPlanner::named);
        return new StatementPlan.Steps(query, given.changes(), true);
    }

    private static FulmarException hasSteps(Table table, MergeStatement.Action action) {
        return SqlErrors.notSupported(
                action instanceof MergeStatement.Insert
                        ? "the rows for " + table.name()
                                + " would draw the numbers that say where they belong, after a look"
                                + " for their keys; give them the numbers, or make the column an IDENTITY (CACHE n)"
                        : "a MERGE does not change the partitioning column of " + table.name()
                                + "; DELETE and INSERT, or UPDATE, move a row");
    }

    /** The columns whose numbers a statement is given row by row. */
    private static final class Numbered {
        final List<Integer> sequences = new ArrayList<>();

        /** The columns of the source's rows before which the numbers go. */
        final List<Integer> before = new ArrayList<>();

        /** The clauses of a MERGE whose rows they are. */
        final List<Integer> clauses = new ArrayList<>();

        /** Columns behind those of the changes that say the order of all rows. */
        int furtherPlaces;

        void add(Table table, List<Integer> columns, int clause, int place) {
            for (int column : columns) {
                sequences.add(table.columns().get(column).drawsFrom().orElseThrow());
                before.add(place);
                clauses.add(clause);
            }
        }

        /** How many are of the clause. */
        int since(int clause) {
            return (int) clauses.stream().filter(each -> each == clause).count();
        }
    }

    /** The steps of a write whose query numbers its rows. */
    private StatementPlan.Steps numbered(
            RelNode source,
            RowIds.Given given,
            int before,
            List<ColumnType> types,
            List<String> places,
            boolean chosen,
            Numbered numbered) {
        RowNumbering numbering = new RowNumbering(parameters.size());
        List<ColumnType> allTypes = new ArrayList<>(types);
        List<String> allPlaces = new ArrayList<>(places);
        for (int i = 0; i < numbered.sequences.size(); i++) {
            allTypes.add(Expressions.BIGINT);
            allPlaces.add("");
        }
        StatementPlan query = StatementPlanner.query(
                        sql,
                        parameters,
                        source,
                        converter,
                        relation -> RowNumbering.sortedByLast(
                                assigned(
                                        given.added(numbering.placed(relation, numbered.before), before),
                                        allTypes,
                                        allPlaces),
                                numbered.furtherPlaces + numbered.sequences.size()),
                        StepPlanner::named)
                .narrowedBy(Optional.empty()); // its further parameters would be taken for numbers
        return new StatementPlan.Steps(query, given.changes(), chosen, List.of(), numbered.sequences);
    }

    private static String update(Table table, MergeStatement.Update update) {
        String assignments = assignments(
                table,
                update.columns().stream()
                        .map(column -> table.columnIndex(column.name()))
                        .toList());
        return "UPDATE " + quoted(table.name()) + " SET " + assignments + whereKey(table);
    }

    private static List<Integer> given(Table table, MergeStatement merge, MergeStatement.Insert insert) {
        List<Integer> given = new ArrayList<>();
        for (int i = 0; i < insert.values().size(); i++) {
            if (!merge.isDefault(insert.values().get(i))) {
                given.add(
                        insert.columns().isEmpty()
                                ? i
                                : table.columnIndex(insert.columns().get(i).name()));
            }
        }
        return given;
    }

    private static List<Integer> both(List<Integer> some, List<Integer> others) {
        List<Integer> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }

    /** The columns that are drawn from dense sequences. */
    private List<Integer> denselyDrawn(Table table) {
        return IntStream.range(0, table.visibleColumns().size())
                .filter(column -> isDenselyDrawn(table, column))
                .boxed()
                .toList();
    }

    private boolean isDenselyDrawn(Table table, int column) {
        OptionalInt sequence = table.columns().get(column).drawsFrom();
        return sequence.isPresent() && catalog.isDenseSequence(sequence.getAsInt());
    }

    /** A table whose rows can be found again; an error if it has no primary key. */
    static Table keyed(Table table) {
        if (table.primaryKey().isEmpty()) {
            throw SqlErrors.notSupported("a MERGE, a subquery in an UPDATE or DELETE of " + table.name()
                    + ", or an UPDATE of its partitioning column, needs a primary key, by which the rows are found again;"
                    + " declare one, or query first and pass the result as parameters");
        }
        return table;
    }

    /** Whether conditions on one table without subqueries are all there is. */
    private static boolean isSimple(RelNode rel) {
        return switch (rel) {
            case TableScan scan -> true;
            case Filter filter -> isOfOwnRows(filter) && isSimple(filter.getInput());
            case Project project -> isOfOwnRows(project) && isSimple(project.getInput());
            default -> false;
        };
    }

    private static List<Integer> assigned(Table table, TableModify modify) {
        return Objects.requireNonNull(modify.getUpdateColumnList()).stream()
                .map(table::columnIndex)
                .toList();
    }

    private static boolean moves(Table table, TableModify modify) {
        return table.partitioningColumn().isPresent()
                && assigned(table, modify).contains(table.partitioningColumn().getAsInt());
    }

    private StatementPlan.Steps insert(Table table, RelNode source, ConflictAction onConflict) {
        int partitioning = table.hasRowId() ? -1 : table.partitioningColumn().orElse(-1);
        if (partitioning >= 0 && draws(source, partitioning) && readsTables(source)) {
            if (isDenselyDrawn(table, partitioning)) {
                return numbered(table, source, onConflict);
            }
            throw SqlErrors.notSupported("the rows of this query for " + table.name()
                    + " would draw the numbers that say where they belong; INSERT ... VALUES draws them, or NEXT VALUE FOR"
                    + " before the INSERT");
        }
        List<Integer> given = given(table, source);
        RelNode rows = columns(source, given);
        boolean isAnyOrder = onConflict instanceof ConflictAction.Fail
                && given.size() == written(table).size();
        RelNode inOrder = isAnyOrder ? null : RowNumbering.inOrder(rows);
        List<StatementPlan> insertion = List.of(nested.plan(insertion(table, given, onConflict)));
        return inOrder == null ? steps(table, rows, insertion) : steps(table, inOrder, insertion, true);
    }

    /** The steps of an INSERT that is given a number of a dense sequence for each row of its query. */
    StatementPlan.Steps numbered(TableModify modify, ConflictAction onConflict) {
        return numbered(table(modify), modify.getInput(), onConflict);
    }

    private StatementPlan.Steps numbered(Table table, RelNode source, ConflictAction onConflict) {
        List<Integer> drawn = denselyDrawn(table).stream()
                .filter(column -> draws(source, column))
                .toList();
        List<Integer> given = written(table).stream()
                .filter(column -> table.columns().get(column).drawsFrom().isEmpty() || !draws(source, column))
                .toList();
        Numbered numbered = new Numbered();
        numbered.add(table, drawn, 0, given.size());
        RowIds.Given ids = RowIds.Given.of(List.of(nested.plan(insertion(table, both(given, drawn), onConflict))));
        List<ColumnType> types = new ArrayList<>();
        List<String> places = new ArrayList<>();
        add(types, places, table, ids.changes());
        return numbered(RowNumbering.added(chosen(source, given)), ids, 0, types, places, false, numbered);
    }

    /** These columns of the rows; of what is not among them nothing is computed. */
    private static RelNode chosen(RelNode source, List<Integer> columns) {
        return switch (source) {
            case Project project -> {
                List<String> names = project.getRowType().getFieldNames();
                yield LogicalProject.create(
                        project.getInput(),
                        List.of(),
                        columns.stream().map(project.getProjects()::get).toList(),
                        columns.stream().map(names::get).toList(),
                        project.getVariablesSet());
            }
            case Union union ->
                LogicalUnion.create(
                        union.getInputs().stream()
                                .map(input -> chosen(input, columns))
                                .toList(),
                        union.all);
            default -> columns(source, columns);
        };
    }

    /** Each row comes by a statement of its own, so none of these sees whether a row is changed twice. */
    private static String insertion(Table table, List<Integer> given, ConflictAction onConflict) {
        return switch (onConflict) {
            case ConflictAction.Fail _ -> insertion(table, "INSERT", given);
            case ConflictAction.Replace _ -> insertion(table, "UPSERT", given);
            case ConflictAction.Skip(int index)
            when index == ConflictAction.Skip.ANY -> insertion(table, "INSERT", given) + " ON CONFLICT DO NOTHING";
            case ConflictAction.Skip(int index) ->
                insertion(table, "INSERT", given)
                        + table.indexes().stream()
                                .filter(each -> each.id() == index)
                                .map(each -> " ON CONFLICT ON CONSTRAINT " + quoted(each.name()) + " DO NOTHING")
                                .findFirst()
                                .orElseThrow();
            case ConflictAction.Change _ ->
                throw SqlErrors.notSupported("ON CONFLICT DO UPDATE takes VALUES, or a query of rows that belong where"
                        + " it finds them; MERGE INTO " + table.name() + " takes any query");
        };
    }

    /**
     * The columns that the source has values for; the others draw their numbers where the row is stored. A dense
     * sequence draws for the source, which is given its numbers.
     */
    private List<Integer> given(Table table, RelNode source) {
        return written(table).stream()
                .filter(column -> table.columns().get(column).drawsFrom().isEmpty()
                        || table.partitioningColumn().orElse(-1) == column
                        || isDenselyDrawn(table, column)
                        || !draws(source, column))
                .toList();
    }

    private static boolean readsTables(RelNode source) {
        return source instanceof TableScan
                || !isOfOwnRows(source)
                || source.getInputs().stream().anyMatch(StepPlanner::readsTables);
    }

    /** Whether its expressions have no subqueries. */
    private static boolean isOfOwnRows(RelNode source) {
        return switch (source) {
            case Filter filter -> RexUtil.SubQueryFinder.find(filter.getCondition()) == null;
            case Project project ->
                project.getProjects().stream().allMatch(each -> RexUtil.SubQueryFinder.find(each) == null);
            default -> true;
        };
    }

    private static boolean draws(RelNode source, int column) {
        return switch (source) {
            case Project project -> draws(project.getProjects().get(column));
            case Union union -> union.getInputs().stream().allMatch(input -> draws(input, column));
            default -> false;
        };
    }

    private static boolean draws(RexNode value) {
        return value instanceof RexCall call
                && (call.getOperator().equals(DialectFunctions.NEXT_VALUE)
                        || (call.isA(SqlKind.CAST) && draws(call.getOperands().getFirst())));
    }

    private StatementPlan.Steps delete(Table table, RelNode input) {
        return steps(table, columns(input, table.primaryKey()), List.of(nested.plan(deletion(table))));
    }

    private StatementPlan.Steps update(Table table, TableModify modify) {
        RelNode input = modify.getInput();
        List<Integer> assigned = assigned(table, modify);
        int firstValue = input.getRowType().getFieldCount() - assigned.size();
        boolean takesOut = moves(table, modify) || assigned.stream().anyMatch(table.primaryKey()::contains);
        List<Integer> read = new ArrayList<>();
        if (takesOut) {
            read.addAll(table.primaryKey());
            for (int column : written(table)) {
                int place = assigned.indexOf(column);
                read.add(place < 0 ? column : firstValue + place);
            }
            return steps(
                    table,
                    columns(input, read),
                    List.of(nested.plan(deletion(table)), nested.plan(insertion(table, "INSERT", written(table)))));
        }
        IntStream.range(0, assigned.size())
                .filter(place -> !table.columns().get(assigned.get(place)).isGenerated())
                .forEach(place -> read.add(firstValue + place));
        read.addAll(table.primaryKey());
        String change = "UPDATE " + quoted(table.name()) + " SET " + assignments(table, assigned) + whereKey(table);
        return steps(table, columns(input, read), List.of(nested.plan(change)));
    }

    private static String assignments(Table table, List<Integer> columns) {
        return columns.stream()
                .map(column ->
                        name(table, column) + (table.columns().get(column).isGenerated() ? " = DEFAULT" : " = ?"))
                .collect(Collectors.joining(", "));
    }

    /** The columns to which a statement gives values: all but those that are computed where the row is stored. */
    private static List<Integer> written(Table table) {
        return IntStream.range(0, table.visibleColumns().size())
                .filter(column -> !table.columns().get(column).isGenerated())
                .boxed()
                .toList();
    }

    private static String insertion(Table table, String verb, List<Integer> columns) {
        String names = columns.stream().map(column -> name(table, column)).collect(Collectors.joining(", ", " (", ")"));
        String values = columns.stream().map(column -> "?").collect(Collectors.joining(", "));
        String overriding = table.columns().stream().anyMatch(Column::isAlwaysDrawn) ? " OVERRIDING SYSTEM VALUE" : "";
        return verb + " INTO " + quoted(table.name()) + names + overriding + " VALUES (" + values + ")";
    }

    private static String deletion(Table table) {
        return "DELETE FROM " + quoted(table.name()) + whereKey(table);
    }

    private static String whereKey(Table table) {
        return table.primaryKey().stream()
                .map(column -> name(table, column) + " = ?")
                .collect(Collectors.joining(" AND ", " WHERE ", ""));
    }

    private static String name(Table table, int column) {
        return quoted(table.columns().get(column).name());
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    private static RelNode columns(RelNode input, List<Integer> columns) {
        List<RexNode> references = columns.stream()
                .<RexNode>map(column -> input.getCluster().getRexBuilder().makeInputRef(input, column))
                .toList();
        List<String> names =
                IntStream.range(0, columns.size()).mapToObj(i -> "C" + (i + 1)).toList();
        return LogicalProject.create(input, List.of(), references, names, Set.of());
    }

    private StatementPlan.Steps steps(Table table, RelNode source, List<StatementPlan> changes) {
        return steps(table, source, changes, false);
    }

    /** @param isPlaced whether the last column says the order of the rows */
    private StatementPlan.Steps steps(Table table, RelNode source, List<StatementPlan> changes, boolean isPlaced) {
        List<ColumnType> types = new ArrayList<>();
        List<String> places = new ArrayList<>();
        RowIds.Given given = RowIds.Given.of(changes);
        add(types, places, table, given.changes());
        StatementPlan query = StatementPlanner.query(
                sql,
                parameters,
                source,
                converter,
                relation -> relation instanceof Relation.Values values && !given.addsIds()
                        ? assigned(isPlaced ? RowNumbering.withoutPlaces(values) : values, types, places)
                        : ordered(relation, given, types, places, isPlaced),
                StepPlanner::named);
        return new StatementPlan.Steps(query, given.changes());
    }

    private static Relation ordered(
            Relation rows, RowIds.Given given, List<ColumnType> types, List<String> places, boolean isPlaced) {
        if (!isPlaced && !(rows instanceof Relation.Values)) {
            return RowNumbering.sorted(assigned(given.added(rows, 0), types, places));
        }
        Relation placed = isPlaced ? rows : RowNumbering.placed((Relation.Values) rows);
        return RowNumbering.sortedByLast(
                assigned(
                        given.added(placed, 0),
                        RowNumbering.with(types, Expressions.BIGINT),
                        RowNumbering.with(places, "")),
                1);
    }

    private static void add(List<ColumnType> types, List<String> places, Table table, List<StatementPlan> changes) {
        for (StatementPlan change : changes) {
            types.addAll(change.parameters());
            places.addAll(places(table, change));
        }
    }

    /** The names that messages give the columns of the change's parameters, empty for none. */
    private static List<String> places(Table table, StatementPlan change) {
        AssignedColumns assigned = AssignedColumns.of(change);
        return IntStream.range(0, change.parameters().size())
                .mapToObj(parameter -> assigned.column(parameter).isEmpty()
                        ? ""
                        : table.columnText(assigned.column(parameter).getAsInt()))
                .toList();
    }

    private static Relation assigned(Relation relation, List<ColumnType> types, List<String> places) {
        Relation source = NamedValues.of(relation, places);
        List<Expression> values = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            Expression value = literal(source, i, types.get(i))
                    .orElse(Expressions.references(source.columns()).get(i));
            values.add(NamedValues.named(Conversion.assign(value, types.get(i)), places.get(i)));
        }
        return Relations.project(source, values);
    }

    /** The literal that is the column, if it becomes a value of the type only as one. */
    private static Optional<Expression> literal(Relation source, int column, ColumnType type) {
        boolean isOpen = type.isArray()
                || type.kind().isJson()
                || type.kind() == TypeKind.INTERVAL
                || type.kind() == TypeKind.ENUM;
        return isOpen
                        && source instanceof Relation.Project project
                        && project.expressions().get(column) instanceof Expression.Literal literal
                ? Optional.of(literal)
                : Optional.empty();
    }

    static List<ResultColumn> named(Relation relation) {
        return IntStream.range(0, relation.columns().size())
                .mapToObj(
                        i -> new ResultColumn("C" + (i + 1), relation.columns().get(i), true))
                .toList();
    }
}
