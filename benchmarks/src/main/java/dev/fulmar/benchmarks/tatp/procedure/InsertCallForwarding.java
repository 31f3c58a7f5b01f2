package dev.fulmar.benchmarks.tatp.procedure;

import dev.fulmar.procedure.Expectation;
import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;
import dev.fulmar.procedure.StatementException;

/** Adds a call forwarding of the subscriber with a number; fails where it exists or has no such facility. */
public final class InsertCallForwarding implements Procedure {
    static final Statement SUBSCRIBER =
            Statement.of("SELECT s_id FROM subscriber WHERE sub_nbr = ?").expecting(Expectation.ONE_ROW);
    static final Statement FACILITIES = Statement.of("SELECT sf_type FROM special_facility WHERE s_id = ?");
    static final Statement INSERT = Statement.of(
            "INSERT INTO call_forwarding (s_id, sf_type, start_time, end_time, numberx) VALUES (?, ?, ?, ?, ?)");

    private static final String UNIQUE_VIOLATION = "23505";

    public long run(
            ProcedureContext context, String number, int facilityType, int startTime, int endTime, String destination) {
        context.queue(SUBSCRIBER).with(number);
        long subscriber = context.execute().rows(0).first().getLong(0);
        context.queue(FACILITIES).with(subscriber);
        Rows facilities = context.execute().rows(0);
        boolean found = false;
        while (facilities.next()) {
            found |= facilities.getLong(0) == facilityType;
        }
        if (!found) {
            throw context.abort("the subscriber has no such facility");
        }
        context.queue(INSERT)
                .with(subscriber)
                .with(facilityType)
                .with(startTime)
                .with(endTime)
                .with(destination);
        try {
            return context.execute().changedRows(0);
        } catch (StatementException e) {
            if (e.sqlState().equals(UNIQUE_VIOLATION)) {
                throw context.abort("there is such a call forwarding already");
            }
            throw e;
        }
    }
}
