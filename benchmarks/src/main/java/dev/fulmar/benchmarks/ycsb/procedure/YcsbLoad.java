package dev.fulmar.benchmarks.ycsb.procedure;

import dev.fulmar.procedure.Arguments;
import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;
import java.util.random.RandomGenerator;

/** Inserts records with random fields; all keys belong to the partition of the first parameter. */
public final class YcsbLoad implements Procedure {
    static final Statement INSERT = Statement.of("INSERT INTO usertable VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

    private static final int FIELDS = 10;
    private static final int FIELD_CHARACTERS = 100;

    public long run(ProcedureContext context, long anyKey, long[] keys) {
        RandomGenerator random = context.random();
        for (long key : keys) {
            Arguments row = context.queue(INSERT).with(key);
            for (int field = 0; field < FIELDS; field++) {
                row = row.with(text(random));
            }
        }
        context.execute();
        return keys.length;
    }

    private static String text(RandomGenerator random) {
        StringBuilder text = new StringBuilder(FIELD_CHARACTERS);
        while (text.length() < FIELD_CHARACTERS) {
            long bits = random.nextLong();
            for (int i = 0; i < 10; i++) {
                text.append((char) ('A' + ((bits >>> (6 * i)) & 63) % 58));
            }
        }
        return text.toString();
    }
}
