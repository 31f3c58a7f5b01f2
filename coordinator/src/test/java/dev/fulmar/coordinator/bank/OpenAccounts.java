package dev.fulmar.coordinator.bank;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;
import dev.fulmar.procedure.StatementException;

/**
 * Opens accounts in one batch; where one of them exists already, opens the others one by one. Returns how many were
 * opened.
 */
public final class OpenAccounts implements Procedure {
    public static final Statement OPEN = Statement.of("INSERT INTO account VALUES (?, ?)");

    public long run(ProcedureContext context, long[] ids, long balance) {
        try {
            for (long id : ids) {
                context.queue(OPEN).with(id).with(balance);
            }
            context.execute();
            return ids.length;
        } catch (StatementException e) {
            return openOneByOne(context, ids, balance);
        }
    }

    private static long openOneByOne(ProcedureContext context, long[] ids, long balance) {
        long opened = 0;
        for (long id : ids) {
            try {
                context.update(OPEN, id, balance);
                opened++;
            } catch (StatementException e) {
                if (!e.sqlState().equals("23505")) {
                    throw e;
                }
            }
        }
        return opened;
    }
}
