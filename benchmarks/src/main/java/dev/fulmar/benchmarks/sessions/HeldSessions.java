package dev.fulmar.benchmarks.sessions;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Transactions that have changed something and then wait for their client. Half of the changes are to rows that others
 * change meanwhile, the others are new rows. For one thread.
 */
final class HeldSessions implements AutoCloseable {
    /** Transactions. */
    static final int COUNT = 100;

    /** Changes of each. */
    static final int CHANGES = 10;

    static final String DDL = "CREATE TABLE buffered (owner BIGINT NOT NULL, place INT NOT NULL, field VARCHAR(100),"
            + " PRIMARY KEY (owner, place)); PARTITION TABLE buffered ON COLUMN owner;";

    private static final String INSERT = "INSERT INTO buffered VALUES (?, ?, ?)";
    private static final String UPDATE = "UPDATE pairs SET field = ? WHERE part = ? AND place = ?";
    private static final String VALUE = "w".repeat(100);

    private final List<Session> sessions = new ArrayList<>();

    private HeldSessions() {}

    /** @param turn tells the rows of these transactions from those of others */
    static HeldSessions open(FulmarClient client, long turn) {
        HeldSessions held = new HeldSessions();
        try {
            for (int i = 0; i < COUNT; i++) {
                held.sessions.add(client.begin());
            }
            for (int i = 0; i < COUNT; i++) {
                held.change(held.sessions.get(i), turn * COUNT + i, 1 + i);
            }
            return held;
        } catch (RuntimeException e) {
            held.close();
            throw e;
        }
    }

    private void change(Session session, long owner, int part) {
        List<CompletableFuture<CallResult>> sent = new ArrayList<>();
        for (int place = 1; place <= CHANGES / 2; place++) {
            sent.add(session.executeAsync(INSERT, owner, place, VALUE));
            sent.add(session.executeAsync(UPDATE, VALUE, part, place));
        }
        sent.forEach(CompletableFuture::join);
    }

    /** Commits the first of them, which shows that it was open indeed; returns the new rows. */
    int commitFirst() {
        sessions.getFirst().commit();
        return CHANGES / 2;
    }

    /** Transactions whose next statement fails with the SQLSTATE. */
    int failingWith(String sqlState) {
        int failing = 0;
        for (Session session : sessions) {
            try {
                session.execute("SELECT COUNT(*) FROM buffered WHERE owner = -1");
            } catch (FulmarException e) {
                failing += e.code().sqlState().equals(sqlState) ? 1 : 0;
            }
        }
        return failing;
    }

    /** Rolls back; returns when the node has done so. */
    void rollback() {
        sessions.forEach(Session::rollback);
    }

    @Override
    public void close() {
        sessions.forEach(Session::close);
    }
}
