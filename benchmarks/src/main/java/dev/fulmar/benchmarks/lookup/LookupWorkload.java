package dev.fulmar.benchmarks.lookup;

import dev.fulmar.benchmarks.workload.PipelinedCalls;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.benchmarks.workload.TableChecks;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** Reads of one row out of 100,000 that are drawn uniformly. */
public final class LookupWorkload implements Workload {
    private static final int ROWS = 100_000;
    private static final int LOAD_IN_FLIGHT = 512;
    private static final String FIELD = "v".repeat(100);

    /** Ways to ask for a row. */
    public enum Way {
        /** A procedure of one statement, the same as the others send. */
        PROCEDURE,
        /** A statement with the key as a parameter. */
        PARAMETER,
        /** A statement with the key in its text, which is another text for each key. */
        LITERAL
    }

    private final Way way;

    public LookupWorkload(Way way) {
        this.way = way;
    }

    @Override
    public String name() {
        return "lookup";
    }

    @Override
    public List<Class<?>> procedureClasses() {
        return List.of();
    }

    @Override
    public String ddl() {
        return "CREATE TABLE lookup (id BIGINT NOT NULL PRIMARY KEY, field VARCHAR(100) NOT NULL);\n"
                + "PARTITION TABLE lookup ON COLUMN id;\n"
                + "CREATE PROCEDURE LookUp PARTITION ON TABLE lookup COLUMN id AS SELECT id, field FROM lookup WHERE id = ?;\n";
    }

    @Override
    public void load(FulmarClient client, Progress progress) {
        PipelinedCalls calls = new PipelinedCalls(client, LOAD_IN_FLIGHT);
        for (long id = 0; id < ROWS; id++) {
            calls.call("LOOKUP.insert", id, FIELD);
        }
        calls.drain();
    }

    @Override
    public RequestSource requests(RandomGenerator random) {
        return new RequestSource() {
            private long wanted;

            @Override
            public CompletableFuture<CallResult> send(FulmarClient client) {
                wanted = random.nextInt(ROWS);
                return switch (way) {
                    case PROCEDURE -> client.callAsync("LookUp", wanted);
                    case PARAMETER -> client.executeAsync("SELECT id, field FROM lookup WHERE id = ?", wanted);
                    case LITERAL -> client.executeAsync("SELECT id, field FROM lookup WHERE id = " + wanted);
                };
            }

            @Override
            public void committed(CallResult result) {
                ResultTable row = result.table();
                if (!row.next() || row.getLong(0) != wanted) {
                    throw new IllegalStateException("a look-up of " + wanted + " found another row or none");
                }
            }
        };
    }

    @Override
    public List<String> verifyTables(FulmarClient client, Progress progress) {
        return new TableChecks(client)
                .expect(ROWS, "rows in lookup", "SELECT COUNT(*) FROM lookup")
                .problems();
    }

    @Override
    public List<String> verifyRecord(FulmarClient client, Progress progress) {
        return List.of();
    }
}
