package dev.fulmar.engine.procedure;

import dev.fulmar.engine.execution.CompiledStatement;
import dev.fulmar.engine.execution.StepChoice;
import dev.fulmar.procedure.Expectation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement of a loaded procedure. Immutable; shared by all partitions. */
public final class ProcedureStatement {
    private final int number;
    private final CompiledStatement compiled;
    private final Expectation expectation;
    private final boolean yieldsRows;
    private final ResultShape shape;
    private final @Nullable Steps steps;
    private final @Nullable SemiJoin semiJoin;
    private final boolean addsRows;

    /** The steps of a write, as statements of their own: see {@code StatementPlan.Steps}. */
    public record Steps(ProcedureStatement source, List<ProcedureStatement> changes, StepChoice choice) {
        public Steps {
            changes = List.copyOf(changes);
        }
    }

    /** A query's way over fewer rows, as statements of their own: see {@code StatementPlan.Narrowing}. */
    public record SemiJoin(ProcedureStatement keys, ProcedureStatement narrow) {}

    public ProcedureStatement(int number, CompiledStatement compiled, Expectation expectation) {
        this.number = number;
        this.compiled = compiled;
        this.expectation = expectation;
        this.yieldsRows = compiled.yieldsRows();
        this.shape = new ResultShape(compiled.resultLayout());
        CompiledStatement.Steps inSteps = compiled.steps();
        this.steps = inSteps == null ? null : steps(inSteps);
        CompiledStatement.SemiJoin narrowed = compiled.semiJoin();
        this.semiJoin = narrowed == null
                ? null
                : new SemiJoin(
                        new ProcedureStatement(0, narrowed.keys(), Expectation.ANY),
                        new ProcedureStatement(0, narrowed.narrow(), expectation));
        this.addsRows = compiled.plan().addsRows();
    }

    private static Steps steps(CompiledStatement.Steps steps) {
        return new Steps(
                new ProcedureStatement(0, steps.source(), Expectation.ANY),
                steps.changes().stream()
                        .map(change -> new ProcedureStatement(0, change, Expectation.ANY))
                        .toList(),
                steps.choice());
    }

    /** The steps of the statement, for callers that run it on several partitions; null if it is done at once. */
    public @Nullable Steps steps() {
        return steps;
    }

    /**
     * The way in which a query that needs several partitions is done with fewer rows; null if there is no other way.
     */
    public @Nullable SemiJoin semiJoin() {
        return semiJoin;
    }

    /** It adds rows or changes some: it does more than to read and to delete. */
    public boolean addsRows() {
        return addsRows;
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
    public boolean yieldsRows() {
        return yieldsRows;
    }

    /** Columns of the rows that it yields. */
    public ResultShape shape() {
        return shape;
    }
}
