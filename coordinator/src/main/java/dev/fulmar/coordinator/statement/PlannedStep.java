package dev.fulmar.coordinator.statement;

import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.routing.Reach;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A statement of a session that is planned.
 *
 * @param step the statement with parameters in place of its literals
 * @param request what to run it with
 * @param partitions that it needs; null if that is not known
 * @param reach what it depends on and changes
 */
@SuppressWarnings("ReferenceEquality") // a session's step that was not generalised needs no copy
public record PlannedStep(
        PreparedStatement statement,
        ScriptStep step,
        TransactionRequest.AdHoc request,
        @Nullable BitSet partitions,
        Reach reach) {
    /** One whose partitions are not known. */
    public PlannedStep(PreparedStatement statement, ScriptStep step, TransactionRequest.AdHoc request) {
        this(statement, step, request, null, statement.reach(request.parameters()));
    }

    /** The same with the partitions that it needs. */
    public PlannedStep at(BitSet needed) {
        return new PlannedStep(statement, step, request, needed, reach);
    }

    /** The same with texts of the one before it where they say the same. */
    public PlannedStep behind(PlannedStep before) {
        return new PlannedStep(statement, step.behind(before.step), request.behind(before.request), partitions, reach);
    }

    /** The same statement of another script, whose step says the same. */
    PlannedStep of(TransactionRequest.Script script, ScriptStep same) {
        boolean isPlain = same.sql() == step.sql() && same.parameters() == step.parameters();
        ScriptStep general = isPlain ? same : same.with(step.sql(), step.parameters());
        return new PlannedStep(statement, general, script.statement(general), partitions, reach);
    }
}
