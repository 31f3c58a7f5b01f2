package dev.fulmar.benchmarks.logictest;

import java.util.List;

/**
 * A statement or query of a file, with its expected result.
 *
 * @param line of the file, from 1
 * @param types of a query's columns, one letter each: I, R or T; empty for a statement
 * @param expected lines of a query's result
 */
record LogicRecord(Kind kind, int line, String sql, String types, Order order, List<String> expected) {
    LogicRecord {
        expected = List.copyOf(expected);
    }

    /** Kinds of records. */
    enum Kind {
        /** A statement that must succeed. */
        STATEMENT_OK,
        /** A statement that must fail. */
        STATEMENT_ERROR,
        QUERY
    }

    /** Order of values before they are compared. */
    enum Order {
        NONE,
        BY_ROW,
        BY_VALUE
    }
}
