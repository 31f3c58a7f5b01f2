package dev.fulmar.it.procedure.called;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;

/** Adds numbers up. */
public final class Add implements Procedure {
    /** Their sum. */
    public long run(ProcedureContext context, int[] numbers) {
        long sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }
}
