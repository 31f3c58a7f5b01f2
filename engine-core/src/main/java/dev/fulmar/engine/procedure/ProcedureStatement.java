package dev.fulmar.engine.procedure;

import dev.fulmar.engine.execution.CompiledStatement;
import dev.fulmar.procedure.Expectation;

/** A statement of a loaded procedure. Immutable; shared by all partitions. */
public final class ProcedureStatement {
    private final int number;
    private final CompiledStatement compiled;
    private final Expectation expectation;
    private final boolean query;
    private final ResultShape shape;

    public ProcedureStatement(int number, CompiledStatement compiled, Expectation expectation) {
        this.number = number;
        this.compiled = compiled;
        this.expectation = expectation;
        this.query = compiled.isQuery();
        this.shape = new ResultShape(compiled.resultLayout());
    }

    /** Position among the procedure's statements; the same in every copy of the same procedure and catalog version. */
    public int number() {
        return number;
    }

    public CompiledStatement compiled() {
        return compiled;
    }

    public Expectation expectation() {
        return expectation;
    }

    /** Yields rows; otherwise it yields a count of changed rows. */
    public boolean isQuery() {
        return query;
    }

    /** Columns of the rows that it yields. */
    public ResultShape shape() {
        return shape;
    }
}
