package dev.fulmar.postgres.activity;

import dev.fulmar.foundation.time.Clock;

/** Activity of one session. Its thread changes it, and any thread reads it. */
public final class SessionActivity {
    /** Characters of a statement that are shown, as of PostgreSQL's {@code track_activity_query_size}. */
    private static final int MOST_CHARACTERS = 1_023;

    /** Characters of a name, as PostgreSQL keeps them. */
    private static final int MOST_OF_NAME = 63;

    /** A session's state, by PostgreSQL's name. */
    public enum State {
        IDLE("idle"),
        ACTIVE("active"),
        IN_TRANSACTION("idle in transaction"),
        FAILED("idle in transaction (aborted)");

        private final String label;

        State(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /**
     * Activity at a moment. Times are in microseconds since the epoch, 0 for none.
     *
     * @param application the name that the client gives itself
     * @param query the statement that is executed, or was last
     * @param queryMicros when that began
     * @param transactionMicros when the transaction began
     * @param changedMicros when the state became what it is
     */
    public record Moment(
            State state,
            String application,
            String query,
            long queryMicros,
            long transactionMicros,
            long changedMicros) {}

    /**
     * A session as others see it.
     *
     * @param process the number by which a cancel request names it
     * @param origin address of its client
     * @param begunMicros when it began
     */
    public record Shown(int process, String user, String database, String origin, long begunMicros, Moment moment) {}

    private final int process;
    private final String user;
    private final String database;
    private final String origin;
    private final Clock clock;
    private final long begunMicros;
    private volatile Moment moment;

    SessionActivity(int process, String user, String database, String origin, Clock clock) {
        this.process = process;
        this.user = user;
        this.database = database;
        this.origin = origin;
        this.clock = clock;
        this.begunMicros = clock.wallMicros();
        this.moment = new Moment(State.IDLE, "", "", 0, 0, begunMicros);
    }

    /** The number by which a cancel request names it. */
    public int process() {
        return process;
    }

    /** A statement begins. */
    public void executes(String query) {
        Moment before = moment;
        long now = clock.wallMicros();
        String shown = cut(query, MOST_CHARACTERS);
        long transaction = before.transactionMicros == 0 ? now : before.transactionMicros;
        moment = new Moment(State.ACTIVE, before.application, shown, now, transaction, now);
    }

    private static String cut(String text, int length) {
        return text.length() > length ? text.substring(0, length) : text;
    }

    /** The client may send the next statement. */
    public void rests(State state, String application) {
        Moment before = moment;
        if (before.state != state || !before.application.equals(application)) {
            moment = new Moment(
                    state,
                    cut(application, MOST_OF_NAME),
                    before.query,
                    before.queryMicros,
                    state == State.IDLE ? 0 : before.transactionMicros,
                    clock.wallMicros());
        }
    }

    Shown shown() {
        return new Shown(process, user, database, origin, begunMicros, moment);
    }
}
