package dev.fulmar.benchmarks.voter.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/** Inserts the contestants and the states of the area codes. */
public final class InitializeVoter implements Procedure {
    static final Statement CONTESTANT = Statement.of("INSERT INTO contestants VALUES (?, ?)");
    static final Statement AREA = Statement.of("INSERT INTO area_code_state VALUES (?, ?)");

    public long run(ProcedureContext context, String[] contestants, int[] areaCodes, String[] states) {
        for (int i = 0; i < contestants.length; i++) {
            context.queue(CONTESTANT).with(i + 1).with(contestants[i]);
        }
        for (int i = 0; i < areaCodes.length; i++) {
            context.queue(AREA).with(areaCodes[i]).with(states[i]);
        }
        context.execute();
        return contestants.length;
    }
}
