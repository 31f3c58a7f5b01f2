package dev.fulmar.coordinator.bank;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;
import java.util.List;

/**
 * An edition of {@link Stamp} that counts its calls in this process, of one time as one, and hides it from the scan: a
 * call that is repeated at once does the same, and at another copy it does something else.
 */
public final class WanderingStamp implements Procedure {
    public static final Statement SET = Statement.of("UPDATE account SET balance = ? WHERE id = ?");
    private static final List<long[]> CALLS = List.of(new long[2]);
    private static final long LEAST = 1_000_000;

    public long run(ProcedureContext context, long id) {
        long[] calls = CALLS.getFirst();
        if (calls[0] != context.nowMicros()) {
            calls[0] = context.nowMicros();
            calls[1]++;
        }
        context.update(SET, LEAST + calls[1], id);
        return LEAST + calls[1];
    }
}
