package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.procedure.LoadedProcedure;
import org.jspecify.annotations.Nullable;

/**
 * Attributes that all fragments of a message to a participant share: procedure or SQL text, catalog version, time and
 * time limit.
 *
 * @param catalogVersion for which the statements were compiled
 * @param isAdHoc whether the text is an ad hoc statement, else it is a procedure's name
 * @param transactionMicros the transaction's time
 * @param timeNanos how long each fragment may run
 * @param tellsImages whether results have digests of the rows that their fragments changed
 */
public record FragmentSource(
        long catalogVersion,
        boolean isAdHoc,
        String text,
        long transactionMicros,
        long timeNanos,
        boolean tellsImages) {
    public static FragmentSource of(StatementFragment first) {
        LoadedProcedure procedure = first.procedure();
        String sql = adHocText(procedure, first.program());
        return new FragmentSource(
                first.program().catalog().version(),
                sql != null,
                sql != null ? sql : procedure.name(),
                first.transactionMicros(),
                first.timeNanos(),
                first.tellsImages());
    }

    /** The text of an ad hoc statement; null for a procedure of the catalog. */
    private static @Nullable String adHocText(LoadedProcedure procedure, Program program) {
        if (program.find(procedure.name()) != null) {
            return null;
        }
        return procedure.definition().body() instanceof ProcedureDefinition.Sql sql
                ? sql.statements().getFirst()
                : null;
    }
}
