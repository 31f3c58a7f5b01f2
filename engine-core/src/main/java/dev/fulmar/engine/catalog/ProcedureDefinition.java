package dev.fulmar.engine.catalog;

import java.util.List;
import java.util.Optional;

/**
 * A stored procedure as the catalog knows it.
 *
 * @param name as callers write it, compared without regard to case
 * @param partitioning how a call finds its partition; empty for a multi-partition procedure
 * @param byValue its calls are logged by value even if they are proven repeatable
 */
public record ProcedureDefinition(String name, Optional<Partitioning> partitioning, Body body, boolean byValue) {
    /** A procedure whose calls are logged as commands where that is possible. */
    public ProcedureDefinition(String name, Optional<Partitioning> partitioning, Body body) {
        this(name, partitioning, body, false);
    }

    /** The same with another body. */
    public ProcedureDefinition withBody(Body newBody) {
        return new ProcedureDefinition(name, partitioning, newBody, byValue);
    }

    /**
     * The same where the table, and its columns at the same places, have other names; statements stay as they are
     * written.
     */
    ProcedureDefinition withRenamed(Table before, Table after) {
        Optional<Partitioning> renamed = partitioning.map(by -> by.table().equals(before.name())
                ? new Partitioning(after.name(), renamed(by.column(), before, after), by.parameter())
                : by);
        Body changed = body instanceof RowAccess access && access.table().equals(before.name())
                ? new RowAccess(after.name(), access.operation())
                : body;
        return new ProcedureDefinition(name, renamed, changed, byValue);
    }

    private static String renamed(String column, Table before, Table after) {
        int position = before.columnIndex(column);
        return position < 0 ? column : after.columns().get(position).name();
    }

    /** The same, logged by value or not. */
    public ProcedureDefinition withByValue(boolean newByValue) {
        return new ProcedureDefinition(name, partitioning, body, newByValue);
    }

    /**
     * A call runs on the partition that the value of one parameter belongs to.
     *
     * @param table table whose partitioning column gives meaning and type to the parameter
     * @param parameter position among the caller's parameters, from 0
     */
    public record Partitioning(String table, String column, int parameter) {}

    /** The body of a procedure: a Java class, SQL statements, or access to one row by its key. */
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
        /** The operation on the row that the primary key names. */
        public enum Operation {
            SELECT,
            INSERT,
            UPDATE,
            UPSERT,
            DELETE
        }
    }
}
