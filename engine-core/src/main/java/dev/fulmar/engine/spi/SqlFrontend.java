package dev.fulmar.engine.spi;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.plan.StatementPlan;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The SQL front end, which compiles SQL text to plans. Implemented by {@code sql}. Thread-safe. Errors are
 * {@code FulmarException}s with the position in the text.
 */
public interface SqlFrontend {
    /** Marks a text that no client sends again, as it has facts of the moment in it: its plan is not kept. */
    String ONCE = "/* ONCE */";

    /** Splits a script into statements at its semicolons; comments and quoted text are respected. */
    List<String> split(String script);

    /** Compiles one statement against the catalog. */
    Compiled compile(String sql, Catalog catalog);

    /**
     * As the other; of what is known of the tables a query may make another plan, and another
     * {@link Compiled.Runnable#weighed}. What writes is planned as it is without: it is executed again where other
     * things are known, and must do the same there.
     */
    default Compiled compile(String sql, Catalog catalog, Statistics statistics) {
        return compile(sql, catalog);
    }

    /**
     * A CREATE TABLE that says nothing of the place of rows, with the clause. Any other text stays as it is. The clause
     * is one of those that the statement has. EXPLAIN may precede.
     */
    default String placed(String sql, String clause) {
        return sql;
    }

    /**
     * A change of a table with all names of constraints that count. These are those that {@link NamesMark} asks for.
     * Constraints that are there get the name that the catalog has. A word says that the name of a primary key counts.
     * The text means the same at any time.
     */
    default String named(String sql, Catalog catalog) {
        return sql;
    }

    /** An ALTER TABLE that adds a column, with the time at which rows that exist get its default. */
    default String timed(String sql, long micros) {
        return sql;
    }

    /**
     * The statement as a query of other tables: each table whose rows are given counts as a query of them. Empty if
     * there is no such query, or if the front end knows none. The statement's plan may be had for the catalog.
     *
     * @param contents queries of rows, in the order of the table's columns; by the names of tables in the catalog
     */
    default Optional<DraftedStatement> drafted(String sql, Catalog catalog, Map<String, String> contents) {
        return Optional.empty();
    }

    /**
     * The statement with parameters in place of literals, so that texts which differ in their values alone are one
     * statement. Empty if it has no literal that a parameter can stand for, or is no statement. Whether the literals
     * fit the parameters' types is known when it is compiled. Quick.
     */
    default Optional<Generalised> generalise(String sql) {
        return Optional.empty();
    }

    /**
     * A statement whose literals became parameters.
     *
     * @param literals the parameters' values, in order
     */
    record Generalised(String sql, List<Literal> literals) {
        public Generalised {
            literals = List.copyOf(literals);
        }
    }

    /** A value that was written in a statement's text. */
    sealed interface Literal {
        record Whole(long value) implements Literal {}

        record Fraction(BigDecimal value) implements Literal {}

        record Text(String value) implements Literal {}
    }

    /**
     * A query of several rows with SKIP LOCKED, as queries that one may send one after another. Empty for any other
     * statement.
     */
    default Optional<RowByRow> rowByRow(String sql, Catalog catalog) {
        return Optional.empty();
    }

    /**
     * Queries that together yield what a query with SKIP LOCKED does.
     *
     * @param keys yields the columns of the query, and then those of the primary key, for more rows than are wanted
     * @param keysParameters how many of the statement's parameters it has, the first ones
     * @param keyColumns columns of the primary key
     * @param row yields the row with the key, which are its last parameters, if nobody else has it
     * @param rowParameters how many of the statement's parameters it has before these, the first ones
     * @param most rows that are wanted; if it is negative, the first parameter that {@code keys} does not have says it
     */
    record RowByRow(String keys, int keysParameters, int keyColumns, String row, int rowParameters, long most) {
        /** Rows that are looked at, and that may be wanted. */
        public static final int MOST_ROWS = 1_000;
    }

    /** The kinds of compiled statements. */
    sealed interface Compiled {
        /**
         * A query or DML.
         *
         * @param weighed ids of the tables whose statistics the plan depends on, whatever they are; none if it is the
         *     same with any
         */
        record Runnable(StatementPlan plan, SortedSet<Integer> weighed) implements Compiled {
            public Runnable {
                weighed = Collections.unmodifiableSortedSet(new TreeSet<>(weighed));
            }

            /** A plan that depends on no statistics. */
            public Runnable(StatementPlan plan) {
                this(plan, Collections.emptySortedSet());
            }
        }

        /** DDL. */
        record Change(CatalogChange change) implements Compiled {}

        /** A table that is made of a query. */
        record TableOfQuery(CreateTableAsPlan table) implements Compiled {}

        /** A call of a stored procedure. */
        record Call(Invocation invocation) implements Compiled {}

        /**
         * EXPLAIN: the text to show, line by line.
         *
         * @param plan of the statement that is explained; empty for one that changes the catalog
         */
        record Explanation(List<String> lines, Optional<StatementPlan> plan) implements Compiled {
            public Explanation {
                lines = List.copyOf(lines);
            }
        }
    }
}
