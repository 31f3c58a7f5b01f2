package dev.fulmar.engine.catalog;

import java.util.List;
import java.util.Optional;

/**
 * A stored procedure as the catalog knows it.
 *
 * @param name as callers write it, compared without regard to case
 * @param partitioning how a call finds its partition; empty for a multi-partition procedure
 */
public record ProcedureDefinition(String name, Optional<Partitioning> partitioning, Body body) {
    /**
     * A call runs on the partition that the value of one parameter belongs to.
     *
     * @param table table whose partitioning column gives meaning and type to the parameter
     * @param parameter position among the caller's parameters, from 0
     */
    public record Partitioning(String table, String column, int parameter) {}

    /** What the procedure does. */
    public sealed interface Body permits JavaClass, Sql, RowAccess {}

    /**
     * A class from a procedure jar.
     *
     * @param jarDigest SHA-256 of the jar in hexadecimal; empty for a class that came with the node
     */
    public record JavaClass(String className, String jarDigest) implements Body {}

    /** SQL statements, executed in order as one batch; their parameters are numbered through. */
    public record Sql(List<String> statements) implements Body {
        public Sql {
            statements = List.copyOf(statements);
        }
    }

    /** An automatic procedure of a table: {@code TABLE.insert}, {@code TABLE.select} and so on. */
    public record RowAccess(String table, Operation operation) implements Body {
        /** What to do with the row that the primary key names. */
        public enum Operation {
            SELECT,
            INSERT,
            UPDATE,
            UPSERT,
            DELETE
        }
    }
}
