package dev.fulmar.simulator.cluster.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;
import java.util.List;

/**
 * Stored procedure that writes a counter of its process, hidden from the determinism scan, so that copies diverge. The
 * counter is the number of its calls. A call that is repeated at once, at the same time therefore, does the same, and
 * at another copy it does something else.
 */
public final class Wander implements Procedure {
    static final Statement SET = Statement.of("UPSERT INTO wander (id, v) VALUES (?, ?)");
    private static final List<long[]> CALLS = List.of(new long[2]);

    public long run(ProcedureContext context, long id) {
        long[] calls = CALLS.getFirst();
        if (calls[0] != context.nowMicros()) {
            calls[0] = context.nowMicros();
            calls[1]++;
        }
        context.update(SET, id, calls[1]);
        return calls[1];
    }
}
