package dev.fulmar.benchmarks.portals;

import dev.fulmar.benchmarks.workload.Statements;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;

/** Rows of 100 KB that are numbered from 0, and a check that a reader has seen each once as it was written. */
final class Documents {
    /** Query for all rows. */
    static final String ALL = "SELECT id, version, content FROM document";

    static final int CONTENT_BYTES = 100_000;

    private static final int MOST_SENT = 20;
    private static final String DDL = "CREATE TABLE document (id BIGINT NOT NULL PRIMARY KEY, version BIGINT NOT NULL,"
            + " content VARBINARY(200000)); PARTITION TABLE document ON COLUMN id;";

    private final BitSet seen = new BitSet();
    private long wrong;

    /** Makes the table with so many rows. */
    static void fill(FulmarClient client, int rows) {
        Statements.executeScript(client, DDL);
        ArrayDeque<CompletableFuture<CallResult>> sent = new ArrayDeque<>();
        for (int id = 0; id < rows; id++) {
            byte[] content = new byte[CONTENT_BYTES];
            Arrays.fill(content, (byte) id);
            sent.add(client.callAsync("DOCUMENT.insert", id, 1, content));
            if (sent.size() >= MOST_SENT) {
                sent.remove().join();
            }
        }
        sent.forEach(CompletableFuture::join);
    }

    void note(int id, byte[] content) {
        boolean isRight = content.length == CONTENT_BYTES
                && content[0] == (byte) id
                && content[CONTENT_BYTES - 1] == (byte) id
                && !seen.get(id);
        seen.set(id);
        wrong += isRight ? 0 : 1;
    }

    /** Rows that were read. */
    long rows() {
        return seen.cardinality();
    }

    /** Rows that came twice, or were not as they were written. */
    long wrong() {
        return wrong;
    }
}
