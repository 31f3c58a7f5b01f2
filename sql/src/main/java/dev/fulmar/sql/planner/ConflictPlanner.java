package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.GlobalKeys;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.ReferencePlaces;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Drawing;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.calcite.QueryParser;
import dev.fulmar.sql.expression.Conversion;
import dev.fulmar.sql.expression.ExpressionConverter;
import dev.fulmar.sql.text.ConflictClause;
import dev.fulmar.sql.text.MergeStatement.Part;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/**
 * Plans ON CONFLICT. Its expressions are those of a query of the table, twice: as the row that is there, and as the new
 * one, which is called EXCLUDED.
 */
public final class ConflictPlanner {
    private static final String EXCLUDED = "EXCLUDED";

    /**
     * The work for a row whose key is there.
     *
     * @param parameters of the clause, which follow those of the INSERT
     */
    public record Planned(ConflictAction action, List<ColumnType> parameters) {
        public Planned {
            parameters = List.copyOf(parameters);
        }
    }

    private final ConflictClause clause;
    private final Table table;
    private final Catalog catalog;

    private ConflictPlanner(ConflictClause clause, Table table, Catalog catalog) {
        this.clause = clause;
        this.table = table;
        this.catalog = catalog;
    }

    /**
     * Plans the clause.
     *
     * @param table of the INSERT
     * @param before parameters of the INSERT
     * @param parser of queries
     * @param isLookedFor whether the statement looks on other partitions for a key that lies over them
     */
    public static Planned plan(
            ConflictClause clause,
            Table table,
            Catalog catalog,
            int before,
            Function<String, QueryParser.Parsed> parser,
            boolean isLookedFor) {
        return new ConflictPlanner(clause, table, catalog).plan(before, parser, isLookedFor);
    }

    private Planned plan(int before, Function<String, QueryParser.Parsed> parser, boolean isLookedFor) {
        Optional<Index> key = key(clause, table);
        key.filter(index -> !isLookedFor && GlobalKeys.isGlobal(index, table)).ifPresent(this::refuse);
        if (clause.update().isEmpty()) {
            int index = key.map(Index::id).orElse(ConflictAction.Skip.ANY);
            return new Planned(new ConflictAction.Skip(index), List.of());
        }
        ConflictClause.Update update = clause.update().get();
        checkColumns(clause, table, update);
        QueryParser.Parsed query = parser.apply(query(update));
        Project values = values(query.root().rel);
        int wanted = update.assignments().size() + (update.condition().isPresent() ? 1 : 0);
        Invariants.check(values.getProjects().size() == wanted, "each value of ON CONFLICT is one of its query");
        ExpressionConverter converter =
                new ExpressionConverter(values.getCluster().getRexBuilder(), query.parameters());
        List<Operation.Assignment> assignments = new ArrayList<>();
        for (int i = 0; i < update.assignments().size(); i++) {
            int column = column(update.assignments().get(i).column());
            Expression value = converter.convert(values.getProjects().get(i));
            Expression stored =
                    Conversion.assign(value, table.columns().get(column).type());
            if (!isOwnKey(value, column, key.orElseThrow())) {
                checkAssigned(update.assignments().get(i).column(), column);
                assignments.add(new Operation.Assignment(column, behind(stored, before)));
            }
        }
        Expression condition = update.condition().isEmpty()
                ? null
                : behind(
                        converter.convert(
                                values.getProjects().get(update.assignments().size())),
                        before);
        checkDraws(assignments, condition);
        return new Planned(
                new ConflictAction.Change(key.orElseThrow().id(), assignments, condition), query.parameters());
    }

    // The key.

    /** The index of the unique key that the clause names; empty if it names none. */
    static Optional<Index> key(ConflictClause clause, Table table) {
        if (clause.key().isEmpty() && clause.constraint().isEmpty()) {
            return Optional.empty();
        }
        Set<Integer> columns = new TreeSet<>();
        clause.key().forEach(name -> columns.add(column(table, name)));
        Optional<String> named = clause.constraint()
                .map(written -> table.constraintName(written.name()).orElse(written.name()));
        List<Index> found = table.indexes().stream()
                .filter(Index::isConstraint)
                .filter(index -> named.isPresent() ? index.name().equals(named.get()) : isOf(index, columns))
                .toList();
        if (found.isEmpty()) {
            throw SqlErrors.at(
                    ErrorCode.NO_UNIQUE_KEY,
                    clause.position(),
                    "table " + table.name() + " has no unique key of "
                            + clause.constraint()
                                    .map(name -> "the name " + name.name())
                                    .orElseGet(() -> clause.key().stream()
                                            .map(Token::name)
                                            .collect(Collectors.joining(", ", "(", ")")))
                            + "; ON CONFLICT names the columns of its primary key, or of a UNIQUE");
        }
        return Optional.of(found.getFirst());
    }

    private void refuse(Index index) {
        throw SqlErrors.at(
                ErrorCode.NOT_SUPPORTED,
                clause.position(),
                "ON CONFLICT would look for its row on one partition, and the key " + index.name() + " of "
                        + table.name()
                        + " does not say on which; give the table a primary key, and leave OVERRIDING and DEFAULT"
                        + " VALUES out, or use UPDATE, and INSERT if that changes no row");
    }

    private static boolean isOf(Index index, Set<Integer> columns) {
        return index.columns().size() == columns.size()
                && index.columns().stream().allMatch(column -> columns.contains(column.column()));
    }

    private int column(Token name) {
        return column(table, name);
    }

    private static int column(Table table, Token name) {
        int column = table.columnIndex(name.name());
        if (column < 0) {
            throw SqlErrors.at(ErrorCode.UNKNOWN_OBJECT, name.position(), table.noColumn(name.name()));
        }
        return column;
    }

    // The change.

    /** Whether the columns may be set as they are. */
    static void checkColumns(ConflictClause clause, Table table, ConflictClause.Update update) {
        Set<String> names = new TreeSet<>();
        for (ConflictClause.Assignment assignment : update.assignments()) {
            Token name = assignment.column();
            Column column = table.columns().get(column(table, name));
            if (!names.add(column.name())) {
                throw SqlErrors.syntax(name.position(), "column " + column.name() + " is set twice");
            }
            boolean isDefault = text(clause, assignment.value()).equalsIgnoreCase("DEFAULT");
            if (column.isGenerated() && !isDefault) {
                throw SqlErrors.at(
                        ErrorCode.GENERATED_ALWAYS,
                        name.position(),
                        "column " + column.name() + " is generated; leave it out, or give it DEFAULT");
            }
            if (column.isAlwaysDrawn()) {
                throw SqlErrors.at(
                        ErrorCode.NOT_SUPPORTED,
                        name.position(),
                        "column " + column.name() + " is GENERATED ALWAYS; leave it out");
            }
        }
    }

    /** Whether the new row's value of a column of the key is set, which is that of the row that is there. */
    private boolean isOwnKey(Expression value, int column, Index key) {
        return value instanceof Expression.ColumnReference reference
                && reference.index() == table.columns().size() + column
                && key.columns().stream().anyMatch(each -> each.column() == column);
    }

    private void checkAssigned(Token name, int column) {
        if (table.partitioningColumn().orElse(-1) == column) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    name.position(),
                    "ON CONFLICT does not change " + table.columns().get(column).name()
                            + ", which says where the row belongs; use UPDATE");
        }
        ReferencePlaces.referring(table, catalog).stream()
                .filter(each -> each.key()
                        .parentColumns()
                        .contains(table.columns().get(column).name()))
                .findFirst()
                .ifPresent(each -> {
                    throw SqlErrors.at(
                            ErrorCode.NOT_SUPPORTED,
                            name.position(),
                            "ON CONFLICT does not change "
                                    + table.columns().get(column).name() + ", to which "
                                    + each.key().name() + " of " + each.table().name() + " refers; use UPDATE");
                });
    }

    private void checkDraws(List<Operation.Assignment> assignments, @Nullable Expression condition) {
        boolean draws = assignments.stream().anyMatch(each -> Drawing.happensIn(each.value()))
                || (condition != null && Drawing.happensIn(condition));
        if (draws) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    clause.position(),
                    "ON CONFLICT DO UPDATE draws no numbers; insert the row anew");
        }
    }

    /** The expression, whose parameters follow others. */
    private static Expression behind(Expression expression, int before) {
        return switch (expression) {
            case Expression.Parameter parameter ->
                new Expression.Parameter(parameter.index() + before, parameter.type());
            case Expression.Call call ->
                new Expression.Call(
                        call.function(),
                        call.arguments().stream()
                                .map(argument -> behind(argument, before))
                                .toList(),
                        call.type(),
                        call.nullable());
            case Expression.ColumnReference _, Expression.OuterReference _, Expression.Literal _ -> expression;
        };
    }

    // The query.

    /** The query for the new values and the condition, each word where it is in the statement. */
    private String query(ConflictClause.Update update) {
        StringBuilder query = new StringBuilder();
        for (ConflictClause.Assignment assignment : update.assignments()) {
            add(query, assignment.value(), value(assignment));
        }
        update.condition().ifPresent(part -> add(query, part, text(part)));
        return query + "\nFROM " + quoted(table.name()) + " AS "
                + quoted(clause.alias().name()) + " CROSS JOIN " + quoted(table.name()) + " AS " + EXCLUDED;
    }

    private void add(StringBuilder query, Part part, String text) {
        String word = query.isEmpty() ? "SELECT " : ", ";
        for (int i = query.length(); i < part.start() - word.length(); i++) {
            query.append(clause.text().charAt(i) == '\n' ? '\n' : ' ');
        }
        query.append(word).append(text);
    }

    private String value(ConflictClause.Assignment assignment) {
        Column column = table.columns().get(column(assignment.column()));
        String text = text(assignment.value());
        if (text.equalsIgnoreCase("DEFAULT")) {
            if (column.drawsFrom().isPresent()) {
                throw SqlErrors.at(
                        ErrorCode.NOT_SUPPORTED,
                        assignment.column().position(),
                        "ON CONFLICT DO UPDATE draws no number for " + column.name() + "; insert the row anew");
            }
            if (column.isGenerated()) {
                return quoted(clause.alias().name()) + "." + quoted(column.name()); // computed anyway
            }
            return defaultOf(column, column.type().toString());
        }
        return text.equals("?") ? parameter(column) : text;
    }

    /** The default of a column that draws no number, or null, as a value of the type. */
    static String defaultOf(Column column, String type) {
        return column.defaultText() == null
                ? "CAST(NULL AS " + type + ")"
                : "CAST((" + column.defaultText() + ") AS " + type + ")";
    }

    /** A parameter that is assigned to the column. */
    static String parameter(Column column) {
        return "CAST(? AS " + whole(column.type()) + ")";
    }

    /** The type of a parameter that is assigned: of whatever length, which is looked at when it is stored. */
    static String whole(ColumnType type) {
        return switch (type.kind()) {
            case CHAR, VARCHAR -> "VARCHAR";
            case VARBINARY -> "VARBINARY";
            default -> type.toString();
        };
    }

    private String text(Part part) {
        return text(clause, part);
    }

    private static String text(ConflictClause clause, Part part) {
        return clause.text().substring(part.start(), part.end());
    }

    static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    private Project values(RelNode rel) {
        boolean isOfRows = rel instanceof Project project
                && project.getInput() instanceof Join join
                && join.getLeft() instanceof TableScan
                && join.getRight() instanceof TableScan
                && !project.containsOver()
                && project.getProjects().stream().allMatch(each -> RexUtil.SubQueryFinder.find(each) == null);
        if (!isOfRows) {
            throw notOfRows();
        }
        return (Project) rel;
    }

    private FulmarException notOfRows() {
        return SqlErrors.at(
                ErrorCode.NOT_SUPPORTED,
                clause.position(),
                "ON CONFLICT DO UPDATE computes from the columns of the row that is there, and of EXCLUDED: it has no"
                        + " subqueries, aggregates and window functions; use MERGE");
    }
}
