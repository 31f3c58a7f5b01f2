package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.ProcedureStatement;

/**
 * How much a read-only transaction may read: one batch of fragments, one statement in several batches, or a whole
 * procedure. With more than one batch it registers at all partitions when it begins, for a later batch may read any of
 * them as of the same timestamp.
 */
public enum ReadExtent {
    /** One statement that is executed as one batch: it touches no partition that the batch does not. */
    ONE_BATCH,

    /** One statement that is executed in several batches: the keys of a semi-join and then its rows, or steps. */
    ONE_STATEMENT,

    /** Several statements, or Java code, which may execute its statement several times. */
    PROCEDURE;

    /** The extent of a procedure, or of an ad hoc statement as one. */
    public static ReadExtent of(LoadedProcedure procedure) {
        if (procedure.statements().size() != 1
                || procedure.definition().body() instanceof ProcedureDefinition.JavaClass) {
            return PROCEDURE;
        }
        ProcedureStatement statement = procedure.statements().getFirst();
        return statement.steps() == null && statement.semiJoin() == null ? ONE_BATCH : ONE_STATEMENT;
    }
}
