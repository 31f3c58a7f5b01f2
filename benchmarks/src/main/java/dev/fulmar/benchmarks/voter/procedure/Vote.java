package dev.fulmar.benchmarks.voter.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/**
 * Takes a vote. Returns 0 when it counts, 1 for an unknown contestant, 2 when the phone number has used up its votes.
 */
public final class Vote implements Procedure {
    static final Statement CONTESTANT =
            Statement.of("SELECT contestant_number FROM contestants WHERE contestant_number = ?");
    static final Statement CAST = Statement.of("SELECT num_votes FROM votes_by_phone WHERE phone_number = ?");
    static final Statement STATE = Statement.of("SELECT state FROM area_code_state WHERE area_code = ?");
    static final Statement INSERT = Statement.of("INSERT INTO votes (vote_id, phone_number, state, contestant_number,"
            + " created) VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP)");
    static final Statement FIRST_CAST =
            Statement.of("INSERT INTO votes_by_phone (phone_number, num_votes) VALUES (?, 1)");
    static final Statement NEXT_CAST =
            Statement.of("UPDATE votes_by_phone SET num_votes = num_votes + 1 WHERE phone_number = ?");

    private static final long COUNTED = 0;
    private static final long UNKNOWN_CONTESTANT = 1;
    private static final long TOO_MANY = 2;
    private static final long NUMBERS_PER_AREA = 10_000_000L;

    public long run(ProcedureContext context, long phoneNumber, int contestant, long votesPerPhone) {
        context.queue(CONTESTANT).with(contestant);
        context.queue(CAST).with(phoneNumber);
        context.queue(STATE).with(phoneNumber / NUMBERS_PER_AREA);
        Results read = context.execute();
        if (read.rows(0).rowCount() == 0) {
            return UNKNOWN_CONTESTANT;
        }
        Rows cast = read.rows(1);
        long votes = cast.rowCount() == 0 ? 0 : cast.first().getLong(0);
        if (votes >= votesPerPhone) {
            return TOO_MANY;
        }
        Rows state = read.rows(2);
        context.queue(INSERT)
                .with(votes)
                .with(phoneNumber)
                .with(state.rowCount() == 0 ? "XX" : state.first().getString(0))
                .with(contestant);
        context.queue(votes == 0 ? FIRST_CAST : NEXT_CAST).with(phoneNumber);
        context.execute();
        return COUNTED;
    }
}
