package dev.fulmar.simulator.crash.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;

/**
 * Writes down its time, its random draw and its edition. It leaves a note in a table without primary key, or takes all
 * notes away. Returns the draw. The rows that it writes have everything that a replayed command must get as it was the
 * first time.
 */
public final class Stamp implements Procedure {
    static final Statement MARK =
            Statement.of("UPDATE stamp SET times = times + 1, moment = ?, chance = ?, edition = 100000 WHERE id = ?");
    static final Statement NOTE = Statement.of("INSERT INTO note (id, chance, text) VALUES (?, ?, ?)");
    static final Statement CLEAR = Statement.of("DELETE FROM note WHERE id = ?");

    /** Notes are taken away once in so many calls. */
    private static final int CLEAR_ONE_IN = 3;

    private static final int FEW = 5;

    public long run(ProcedureContext context, long id) {
        int chance = context.random().nextInt(1 << 20);
        context.queue(MARK).with(context.nowMicros()).with(chance).with(id);
        if (chance % CLEAR_ONE_IN == 0) {
            context.queue(CLEAR).with(id);
        } else {
            context.queue(NOTE).with(id).with(chance % FEW).with("note " + chance);
        }
        context.execute();
        return chance;
    }
}
