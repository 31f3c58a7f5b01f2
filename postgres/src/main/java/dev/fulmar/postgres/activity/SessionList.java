package dev.fulmar.postgres.activity;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.foundation.time.Clock;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;

/** The sessions of a node's clients of PostgreSQL's protocol. Thread-safe. */
public final class SessionList {
    private final Clock clock;
    private final Predicate<Caller> seesAll;
    private final ConcurrentSkipListMap<Integer, SessionActivity> sessions = new ConcurrentSkipListMap<>();

    /** @param seesAll whether a caller may see the statements of others; for any thread */
    public SessionList(Clock clock, Predicate<Caller> seesAll) {
        this.clock = clock;
        this.seesAll = seesAll;
    }

    /** Whether the caller may see the statements of others. */
    public boolean seesAll(Caller caller) {
        return seesAll.test(caller);
    }

    /**
     * Adds a session that begins now.
     *
     * @param process the number by which a cancel request names it
     * @param origin address of the client
     */
    public SessionActivity open(int process, String user, String database, String origin) {
        SessionActivity opened = new SessionActivity(process, user, database, origin, clock);
        sessions.put(process, opened);
        return opened;
    }

    /** The session has ended. */
    public void close(SessionActivity session) {
        sessions.remove(session.process(), session);
    }

    /** All of them, by their numbers. */
    public List<SessionActivity.Shown> shown() {
        return sessions.values().stream().map(SessionActivity::shown).toList();
    }
}
