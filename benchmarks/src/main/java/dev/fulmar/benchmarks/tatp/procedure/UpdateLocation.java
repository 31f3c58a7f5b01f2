package dev.fulmar.benchmarks.tatp.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/** Sets the location of the subscriber with a number, wherever that subscriber lives. */
public final class UpdateLocation implements Procedure {
    static final Statement UPDATE = Statement.of("UPDATE subscriber SET vlr_location = ? WHERE sub_nbr = ?");

    public long run(ProcedureContext context, int location, String number) {
        context.queue(UPDATE).with(location).with(number);
        return context.execute().changedRows(0);
    }
}
