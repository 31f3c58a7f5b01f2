package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.foundation.check.Invariants;
import org.jspecify.annotations.Nullable;

/**
 * Position of a statement within its procedure, by which a message to another node names the statement of a fragment.
 *
 * @param number position among the procedure's statements
 * @param step 0 for the statement itself; of one that runs in steps, 1 for its source, and from 2 on its changes. Of
 *     the query at that place, if it is narrowed, its keys have {@value #KEYS} more and what reads by them
 *     {@value #NARROW} more.
 */
public record StatementPlace(int number, int step) {
    private static final int ITSELF = 0;
    private static final int SOURCE = 1;
    private static final int FIRST_CHANGE = 2;
    private static final int KEYS = 1 << 20;
    private static final int NARROW = 2 << 20;
    private static final int NOWHERE = -1;

    /** The place of the statement in the procedure. */
    public static StatementPlace of(ProcedureStatement statement, LoadedProcedure procedure) {
        for (ProcedureStatement candidate : procedure.statements()) {
            int step = stepOf(statement, candidate);
            if (step != NOWHERE) {
                return new StatementPlace(candidate.number(), step);
            }
        }
        throw Invariants.breach("a fragment is one of its procedure's statements");
    }

    private static int stepOf(ProcedureStatement statement, ProcedureStatement whole) {
        int way = wayOf(statement, whole);
        ProcedureStatement.Steps steps = whole.steps();
        if (way != NOWHERE || steps == null) {
            return way == NOWHERE ? NOWHERE : ITSELF + way;
        }
        int ofSource = wayOf(statement, steps.source());
        if (ofSource != NOWHERE) {
            return SOURCE + ofSource;
        }
        int change = steps.changes().indexOf(statement);
        return change < 0 ? NOWHERE : FIRST_CHANGE + change;
    }

    private static int wayOf(ProcedureStatement statement, ProcedureStatement query) {
        if (query.equals(statement)) {
            return 0;
        }
        ProcedureStatement.SemiJoin semiJoin = query.semiJoin();
        if (semiJoin == null) {
            return NOWHERE;
        }
        return semiJoin.keys().equals(statement) ? KEYS : semiJoin.narrow().equals(statement) ? NARROW : NOWHERE;
    }

    /** The statement at this place; null if the procedure has none there. */
    @Nullable ProcedureStatement in(LoadedProcedure procedure) {
        if (number < 0 || number >= procedure.statements().size() || step < 0) {
            return null;
        }
        int way = step / KEYS * KEYS;
        ProcedureStatement query = at(step - way, procedure.statements().get(number));
        if (way == 0 || query == null) {
            return query;
        }
        ProcedureStatement.SemiJoin semiJoin = query.semiJoin();
        if (semiJoin == null) {
            return null;
        }
        return way == KEYS ? semiJoin.keys() : way == NARROW ? semiJoin.narrow() : null;
    }

    private static @Nullable ProcedureStatement at(int place, ProcedureStatement statement) {
        if (place == ITSELF) {
            return statement;
        }
        ProcedureStatement.Steps steps = statement.steps();
        if (steps == null) {
            return null;
        }
        int change = place - FIRST_CHANGE;
        if (place == SOURCE) {
            return steps.source();
        }
        return change < steps.changes().size() ? steps.changes().get(change) : null;
    }
}
