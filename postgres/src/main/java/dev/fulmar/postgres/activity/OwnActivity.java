package dev.fulmar.postgres.activity;

import dev.fulmar.postgres.activity.SessionActivity.State;
import org.jspecify.annotations.Nullable;

/** Activity of a session, for itself: nothing is shown before it has begun. Not thread-safe. */
public final class OwnActivity {
    private final SessionList all;
    private @Nullable SessionActivity shown;

    public OwnActivity(SessionList all) {
        this.all = all;
    }

    /** The session begins; see {@link SessionList#open}. */
    public void begin(int process, String user, String database, String origin) {
        shown = all.open(process, user, database, origin);
    }

    /** The statement is parsed or executed now. */
    public void executes(String sql) {
        SessionActivity own = shown;
        if (own != null) {
            own.executes(sql);
        }
    }

    /** The client may send the next statement. */
    public void rests(State state, String application) {
        SessionActivity own = shown;
        if (own != null) {
            own.rests(state, application);
        }
    }

    /** The client is gone. */
    public void leave() {
        SessionActivity own = shown;
        if (own != null) {
            all.close(own);
        }
    }

    /** The number by which a cancel request names the session; 0 before it has begun. */
    public int process() {
        SessionActivity own = shown;
        return own == null ? 0 : own.process();
    }

    /** All sessions of the node. */
    public SessionList all() {
        return all;
    }
}
