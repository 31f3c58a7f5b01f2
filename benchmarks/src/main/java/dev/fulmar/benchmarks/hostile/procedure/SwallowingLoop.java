package dev.fulmar.benchmarks.hostile.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;

/** Never ends, and catches every exception that would end it. */
public final class SwallowingLoop implements Procedure {
    @SuppressWarnings({"InfiniteLoopStatement", "CatchAndPrintStackTrace"})
    public long run(ProcedureContext context, long key) {
        long caught = 0;
        while (true) {
            try {
                while (caught >= 0) {
                    caught = Math.max(0, caught);
                }
            } catch (Throwable anything) {
                caught++;
            }
        }
    }
}
