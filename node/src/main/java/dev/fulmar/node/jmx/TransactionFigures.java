package dev.fulmar.node.jmx;

import dev.fulmar.coordinator.session.OpenSession;
import dev.fulmar.wire.session.Isolation;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A transaction that a client sends statement by statement and that is open.
 *
 * @param client where the client connects from
 * @param user the client's name; empty where clients do not log in
 * @param number by which the client tells its transactions apart
 * @param since when it began, in UTC
 * @param state IDLE, RUNNING, WAITING (for a lease), COMMITTING, or FAILED if it can only end
 * @param stateSeconds for how long it has been so
 * @param statements that it has executed and will execute again
 * @param bytes that it takes of the heap
 * @param leases of rows and ranges that it has, or may have
 * @param isolation its level
 * @param readOnly whether it refuses changes
 */
public record TransactionFigures(
        String client,
        String user,
        long number,
        String since,
        String state,
        double stateSeconds,
        int statements,
        long bytes,
        int leases,
        String isolation,
        boolean readOnly) {
    private static final double NANOS_PER_SECOND = 1e9;

    static TransactionFigures of(OpenSession open) {
        return new TransactionFigures(
                open.client(),
                open.user(),
                open.number(),
                Instant.EPOCH.plus(open.sinceMicros(), ChronoUnit.MICROS).toString(),
                open.state().name(),
                open.stateNanos() / NANOS_PER_SECOND,
                open.statements(),
                open.bytes(),
                open.leases(),
                open.mode().isolation().orElse(Isolation.SERIALIZABLE).name(),
                open.mode().readOnly().orElse(false));
    }
}
