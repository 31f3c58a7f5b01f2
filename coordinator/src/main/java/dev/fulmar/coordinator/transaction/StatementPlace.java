package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.foundation.check.Invariants;
import org.jspecify.annotations.Nullable;

/**
 * Which statement of a procedure.
 *
 * @param number position among the procedure's statements
 * @param step 0 for the statement itself; of one that runs in steps, 1 for its source, and from 2 on its changes
 */
public record StatementPlace(int number, int step) {
    private static final int ITSELF = 0;
    private static final int SOURCE = 1;
    private static final int FIRST_CHANGE = 2;

    /** Where the procedure has the statement. */
    public static StatementPlace of(ProcedureStatement statement, LoadedProcedure procedure) {
        for (ProcedureStatement candidate : procedure.statements()) {
            if (candidate.equals(statement)) {
                return new StatementPlace(candidate.number(), ITSELF);
            }
            ProcedureStatement.Steps steps = candidate.steps();
            if (steps != null && steps.source().equals(statement)) {
                return new StatementPlace(candidate.number(), SOURCE);
            }
            int change = steps == null ? -1 : steps.changes().indexOf(statement);
            if (change >= 0) {
                return new StatementPlace(candidate.number(), FIRST_CHANGE + change);
            }
        }
        throw Invariants.breach("a fragment is one of its procedure's statements");
    }

    /** The statement at this place; null if the procedure has none there. */
    @Nullable ProcedureStatement in(LoadedProcedure procedure) {
        if (number < 0 || number >= procedure.statements().size()) {
            return null;
        }
        ProcedureStatement statement = procedure.statements().get(number);
        if (step == ITSELF) {
            return statement;
        }
        ProcedureStatement.Steps steps = statement.steps();
        if (steps == null) {
            return null;
        }
        int change = step - FIRST_CHANGE;
        if (step == SOURCE) {
            return steps.source();
        }
        return change >= 0 && change < steps.changes().size() ? steps.changes().get(change) : null;
    }
}
