package dev.fulmar.benchmarks.exhaustion;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes large values, one after the other into each of a few rows, so that logs grow. It tells afterwards whether the
 * last ones are there.
 */
final class BulkWriter {
    static final String SCHEMA = """
            CREATE TABLE BULK (ID BIGINT NOT NULL PRIMARY KEY, VERSION BIGINT NOT NULL, CONTENT VARCHAR(200000) NOT NULL);
            PARTITION TABLE BULK ON COLUMN ID;
            CREATE PROCEDURE OPEN_BULK PARTITION ON TABLE BULK COLUMN ID AS INSERT INTO BULK (ID, VERSION, CONTENT) VALUES (?, 0, '');
            CREATE PROCEDURE WRITE_BULK PARTITION ON TABLE BULK COLUMN ID AS UPDATE BULK SET VERSION = ?, CONTENT = ? WHERE ID = ?;
            CREATE PROCEDURE VERSION_OF PARTITION ON TABLE BULK COLUMN ID AS SELECT VERSION FROM BULK WHERE ID = ?;
            """;

    private static final int ROWS = 6;
    private static final String CONTENT = "x".repeat(150_000);
    private static final long PAUSE_MILLIS = 20;

    private final List<Row> rows = new ArrayList<>();
    private final Set<ErrorCode> failures = ConcurrentHashMap.newKeySet();
    private volatile boolean isStopping;

    /** @param acknowledged newest version of which the client was told; those up to {@code sent} may be there */
    private static final class Row {
        private final long id;
        private final Thread thread;
        private long sent;
        private long acknowledged;

        private Row(long id, BulkWriter writer, FulmarClient client) {
            this.id = id;
            this.thread = Thread.ofPlatform().name("bulk-" + id).unstarted(() -> writer.write(this, client));
        }
    }

    /** Errors that the writes met. */
    Set<ErrorCode> failures() {
        return Set.copyOf(failures);
    }

    void start(FulmarClient client) {
        for (long id = 1; id <= ROWS; id++) {
            client.call("OPEN_BULK", id);
            rows.add(new Row(id, this, client));
        }
        rows.forEach(row -> row.thread.start());
    }

    private void write(Row row, FulmarClient client) {
        while (!isStopping) {
            row.sent++;
            try {
                client.call("WRITE_BULK", row.sent, CONTENT, row.id);
                row.acknowledged = row.sent;
            } catch (FulmarException failed) {
                failures.add(failed.code());
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Ends the writes; returns what is wrong in the rows. */
    List<String> finish(FulmarClient client) throws InterruptedException {
        stop();
        List<String> problems = new ArrayList<>();
        for (Row row : rows) {
            long found = client.call("VERSION_OF", row.id).table().first().getLong(0);
            problems.addAll(problemOf(row.id, row.acknowledged, row.sent, found));
        }
        return problems;
    }

    /** A row has the newest version that was acknowledged, or a later one that was sent. */
    static List<String> problemOf(long row, long acknowledged, long sent, long found) {
        return acknowledged <= found && found <= sent
                ? List.of()
                : List.of("row " + row + " has version " + found + ", not one of " + acknowledged + " to " + sent);
    }

    /** Ends the writes; once they have ended it does nothing. */
    void stop() throws InterruptedException {
        isStopping = true;
        for (Row row : rows) {
            row.thread.join();
        }
    }
}
