package dev.fulmar.benchmarks.hostile.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;

/** Calls itself until the stack ends. */
public final class DeepRecursion implements Procedure {
    public long run(ProcedureContext context, long key) {
        return deeper(key) + deeper(key + 1);
    }

    private static long deeper(long depth) {
        return depth < 0 ? depth : deeper(depth + 1) + 1;
    }
}
