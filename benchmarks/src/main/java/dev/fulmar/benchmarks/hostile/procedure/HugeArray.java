package dev.fulmar.benchmarks.hostile.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;

/** Asks for more memory than the node has. */
public final class HugeArray implements Procedure {
    public long run(ProcedureContext context, long key) {
        long[][] all = new long[1_000][];
        long sum = key;
        for (int i = 0; i < all.length; i++) {
            all[i] = new long[250_000_000];
            sum += all[i].length;
        }
        return sum;
    }
}
