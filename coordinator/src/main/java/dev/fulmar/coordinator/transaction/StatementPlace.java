package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.foundation.check.Invariants;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Position of a statement within its procedure, by which a message to another node names the statement of a fragment.
 *
 * @param number position among the procedure's statements
 * @param step 0 for the statement itself; of one that runs in steps, 1 for its source, and from 2 on its changes. A
 *     part that runs in steps itself has its own source and changes behind it. Of the query at that place, if it is
 *     narrowed, its keys have {@value #KEYS} more and what reads by them {@value #NARROW} more.
 */
public record StatementPlace(int number, int step) {
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
        int ofWhole = wayOf(statement, whole);
        if (ofWhole != NOWHERE || whole.steps() == null) {
            return ofWhole;
        }
        List<ProcedureStatement> parts = parts(whole);
        for (int place = 1; place < parts.size(); place++) {
            int way = wayOf(statement, parts.get(place));
            if (way != NOWHERE) {
                return place + way;
            }
        }
        return NOWHERE;
    }

    /** The statement, and the parts of each that runs in steps behind it: its source, and its changes. */
    private static List<ProcedureStatement> parts(ProcedureStatement whole) {
        List<ProcedureStatement> parts = new ArrayList<>();
        add(whole, parts);
        return parts;
    }

    private static void add(ProcedureStatement statement, List<ProcedureStatement> parts) {
        parts.add(statement);
        ProcedureStatement.Steps steps = statement.steps();
        if (steps != null) {
            add(steps.source(), parts);
            steps.changes().forEach(change -> add(change, parts));
        }
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
        if (place == 0) {
            return statement;
        }
        List<ProcedureStatement> parts = parts(statement);
        return place < parts.size() ? parts.get(place) : null;
    }
}
