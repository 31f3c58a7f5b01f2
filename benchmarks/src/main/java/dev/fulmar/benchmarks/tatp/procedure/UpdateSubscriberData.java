package dev.fulmar.benchmarks.tatp.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;
import dev.fulmar.procedure.Statement;

/** Sets a bit of a subscriber and a field of one special facility; fails where the facility does not exist. */
public final class UpdateSubscriberData implements Procedure {
    static final Statement SET_BIT = Statement.of("UPDATE subscriber SET bit_1 = ? WHERE s_id = ?");
    static final Statement SET_DATA =
            Statement.of("UPDATE special_facility SET data_a = ? WHERE s_id = ? AND sf_type = ?");

    public long run(ProcedureContext context, int subscriber, int bit, int data, int facilityType) {
        context.queue(SET_BIT).with(bit).with(subscriber);
        context.queue(SET_DATA).with(data).with(subscriber).with(facilityType);
        Results results = context.execute();
        if (results.changedRows(1) == 0) {
            throw context.abort("the subscriber has no such facility");
        }
        return results.changedRows(0) + results.changedRows(1);
    }
}
