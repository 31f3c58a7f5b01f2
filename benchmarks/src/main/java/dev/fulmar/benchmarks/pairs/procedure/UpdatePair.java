package dev.fulmar.benchmarks.pairs.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;
import dev.fulmar.procedure.Statement;

/** Overwrites a field of two rows and counts the update in each; yields how many rows there were. */
public final class UpdatePair implements Procedure {
    static final Statement UPDATE =
            Statement.of("update pairs set times = times + 1, field = ? where part = ? and place = ?");

    public long run(
            ProcedureContext context, int firstPart, int firstPlace, int secondPart, int secondPlace, String value) {
        context.queue(UPDATE).with(value).with(firstPart).with(firstPlace);
        context.queue(UPDATE).with(value).with(secondPart).with(secondPlace);
        Results results = context.execute();
        return results.changedRows(0) + results.changedRows(1);
    }
}
