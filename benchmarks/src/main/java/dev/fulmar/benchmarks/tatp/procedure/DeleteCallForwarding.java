package dev.fulmar.benchmarks.tatp.procedure;

import dev.fulmar.procedure.Expectation;
import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/** Removes a call forwarding of the subscriber with a number; fails where there is none. */
public final class DeleteCallForwarding implements Procedure {
    static final Statement SUBSCRIBER =
            Statement.of("SELECT s_id FROM subscriber WHERE sub_nbr = ?").expecting(Expectation.ONE_ROW);
    static final Statement DELETE =
            Statement.of("DELETE FROM call_forwarding WHERE s_id = ? AND sf_type = ? AND start_time = ?");

    public long run(ProcedureContext context, String number, int facilityType, int startTime) {
        context.queue(SUBSCRIBER).with(number);
        long subscriber = context.execute().rows(0).first().getLong(0);
        context.queue(DELETE).with(subscriber).with(facilityType).with(startTime);
        long deleted = context.execute().changedRows(0);
        if (deleted == 0) {
            throw context.abort("there is no such call forwarding");
        }
        return deleted;
    }
}
