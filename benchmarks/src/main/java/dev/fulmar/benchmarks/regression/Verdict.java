package dev.fulmar.benchmarks.regression;

/**
 * The judgement of one statement.
 *
 * @param statement its number in the file, from 1
 * @param reason empty for an equal one
 */
public record Verdict(int statement, Kind kind, String reason) {
    /** How a node's answer is related to PostgreSQL's. */
    public enum Kind {
        /** The same rows, columns, count of changed rows, and SQLSTATE. */
        EQUAL,
        /** Another answer that docs/POSTGRESQL.md describes. */
        DOCUMENTED,
        /** An error of the node, or another error than PostgreSQL's. */
        UNSUPPORTED,
        /** Other rows because the node has refused an earlier statement. */
        FOLLOWS,
        /** The same values under another type or name. */
        LABEL,
        /** Another answer in silence. */
        WRONG
    }
}
