package dev.fulmar.coordinator.session;

import dev.fulmar.foundation.time.Clock;
import dev.fulmar.wire.session.TransactionMode;

/** View of a session for other threads, as it was after the last event. */
final class SessionView {
    /**
     * The transaction after an event.
     *
     * @param sinceNanos when that state began
     */
    private record Shown(
            OpenSession.State state, long sinceNanos, int statements, long bytes, int leases, TransactionMode mode) {}

    private final SessionOrigin origin;
    private final OpenTransaction transaction;
    private final Clock clock;
    private volatile Shown shown;

    SessionView(SessionOrigin origin, OpenTransaction transaction, Clock clock) {
        this.origin = origin;
        this.transaction = transaction;
        this.clock = clock;
        shown = shown(OpenSession.State.IDLE, clock.monotonicNanos());
    }

    /** Notes what became of the session; called where its events are handled. */
    void update(OpenSession.State state) {
        shown = shown(state, state == shown.state ? shown.sinceNanos : clock.monotonicNanos());
    }

    private Shown shown(OpenSession.State state, long sinceNanos) {
        return new Shown(
                state,
                sinceNanos,
                transaction.statements(),
                transaction.bytes(),
                transaction.leases(),
                transaction.mode());
    }

    /** The session; any thread. */
    OpenSession show() {
        Shown last = shown;
        return new OpenSession(
                origin.client(),
                origin.user(),
                origin.number(),
                transaction.micros(),
                last.state,
                Math.max(0, clock.monotonicNanos() - last.sinceNanos),
                last.statements,
                last.bytes,
                last.leases,
                last.mode);
    }
}
