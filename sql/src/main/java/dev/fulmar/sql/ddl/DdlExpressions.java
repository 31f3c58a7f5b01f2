package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Enumeration;
import dev.fulmar.sql.text.Position;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The port through which DDL resolves expressions, and the tables that they are about. */
public interface DdlExpressions {
    /** The types with labels, by the names that the catalog has for them. */
    Map<String, Enumeration> enumerations();

    /**
     * The value of a default: of the column's type, without columns.
     *
     * @param position where the text begins, for errors
     */
    Expression defaultValue(String text, ColumnType type, Position position);

    /**
     * A condition over the columns of a table that follows from the row alone.
     *
     * @param start offset of its opening parenthesis in the statement
     * @param end offset behind its closing one
     */
    Expression condition(String table, List<Column> columns, int start, int end);

    /** The same of a condition that stands elsewhere, with its parentheses. */
    Expression condition(String table, List<Column> columns, String text);

    /**
     * A value over the columns of a table that follows from the row alone.
     *
     * @param start offset of its first character in the statement
     * @param end offset behind its last one
     */
    Expression value(String table, List<Column> columns, int start, int end);

    /**
     * The value of a generated column, of its type, over the columns of its table.
     *
     * @param column its place
     * @param start offset of the expression's opening parenthesis in the statement
     * @param end offset behind its closing one
     */
    Expression generated(String table, List<Column> columns, int column, int start, int end);

    /** The same of an expression that stands elsewhere, with its parentheses. */
    Expression generated(String table, List<Column> columns, int column, String text);

    /**
     * The value of a function: over its parameters alone, and without other functions of users.
     *
     * @param start offset of its first character in the statement
     * @param end offset behind its last one
     */
    Expression formula(String function, List<Column> parameters, int start, int end);

    /** The same of a text that stands in quotes. */
    Expression formula(String function, List<Column> parameters, String text);

    /** Whether a value becomes one of the other type where it is stored, and not only where a CAST says so. */
    boolean isAssignable(ColumnType from, ColumnType to);

    /** Functions and aggregates of users, by their names in upper case. */
    Map<String, UserFunction> functions();

    /**
     * The text as a value of the type, as a CAST makes it.
     *
     * @param position where the text stands, for errors
     */
    Expression.Literal valueOf(String text, ColumnType type, Position position);

    /** Whether SQL itself has a function of the name. */
    boolean isBuiltIn(String function);

    /**
     * A view.
     *
     * @param columns their names; empty for those of the query
     * @param start offset of the query, which ends with the statement
     */
    View view(String name, List<String> columns, int start);

    /** A materialized view; the rest as of {@link #view}. */
    Materialized aggregation(String name, List<String> columns, int start);

    /** The definition of a materialized view, with the tables whose rows it keeps. */
    record Materialized(List<Table> sources, Aggregation aggregation) {
        public Materialized {
            sources = List.copyOf(sources);
        }
    }

    /** The schemas that there are besides PUBLIC. */
    Set<String> schemas();

    /** The table; empty if there is none. */
    Optional<Table> table(String name);

    /** The sequence, also of a column by the name that PostgreSQL gives it; empty if there is none. */
    Optional<Table> sequence(String name);

    /** The sequence from which the column draws; empty if it draws from none. */
    Optional<Table> sequenceOf(Column column);

    /** The view of the name; empty if there is none. */
    Optional<View> view(String name);

    /** Whether a table, a view, a sequence or an index has the name. */
    boolean isThere(String name);

    /** Names that a new constraint cannot have. */
    TakenNames takenNames();

    /** The message for a name that no table has. */
    String noTable(String name);

    /** Whether the value depends on when it is computed. */
    static boolean readsClock(Expression value) {
        return switch (value) {
            case Expression.Call call ->
                call.function() == ScalarFunction.CURRENT_TIMESTAMP
                        || call.function() == ScalarFunction.CURRENT_DATE
                        || call.function() == ScalarFunction.CURRENT_TIME
                        || call.arguments().stream().anyMatch(DdlExpressions::readsClock);
            case Expression.Literal literal -> false;
            case Expression.ColumnReference reference -> false;
            case Expression.OuterReference outer -> false;
            case Expression.Parameter parameter -> false;
        };
    }
}
