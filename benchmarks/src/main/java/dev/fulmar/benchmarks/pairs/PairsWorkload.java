package dev.fulmar.benchmarks.pairs;

import dev.fulmar.benchmarks.pairs.procedure.UpdatePair;
import dev.fulmar.benchmarks.workload.PipelinedCalls;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.benchmarks.workload.Statements;
import dev.fulmar.benchmarks.workload.TableChecks;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;

/**
 * Updates of two rows out of 100,000 that are drawn uniformly, a share of them on two partitions. Rows belong to parts,
 * which are spread over the partitions by range: the rows of one part lie together, and those of a part and of the one
 * half-way round lie on two partitions.
 */
public final class PairsWorkload implements Workload {
    /** Parts of the table, numbered from 1. */
    public static final int PARTS = 1_000;

    private static final int PLACES = 100;
    private static final int FIELD_CHARACTERS = 100;
    private static final int LOAD_IN_FLIGHT = 512;
    private static final int PERCENT = 100;
    private static final String SUM = "SELECT SUM(times) FROM pairs";
    private static final String NEW_VALUE = "v".repeat(FIELD_CHARACTERS);

    private final int apartPercent;
    private final LongAdder committed = new LongAdder();
    private long baseline;

    /** @param apartPercent of the transactions, those whose rows lie on two partitions */
    public PairsWorkload(int apartPercent) {
        this.apartPercent = apartPercent;
    }

    @Override
    public String name() {
        return "pairs-" + apartPercent;
    }

    @Override
    public List<Class<?>> procedureClasses() {
        return List.of(UpdatePair.class);
    }

    @Override
    public String ddl() {
        String procedure = " FROM CLASS " + UpdatePair.class.getName() + ";\n";
        return "CREATE TABLE pairs (part INT NOT NULL, place INT NOT NULL, times BIGINT NOT NULL,"
                + " field VARCHAR(100) NOT NULL, PRIMARY KEY (part, place));\n"
                + "PARTITION TABLE pairs ON COLUMN part;\n"
                + "CREATE PROCEDURE UpdateTogether PARTITION ON TABLE pairs COLUMN part PARAMETER 0" + procedure
                + "CREATE PROCEDURE UpdateApart" + procedure;
    }

    @Override
    public void load(FulmarClient client, Progress progress) {
        PipelinedCalls calls = new PipelinedCalls(client, LOAD_IN_FLIGHT);
        for (int part = 1; part <= PARTS; part++) {
            for (int place = 1; place <= PLACES; place++) {
                calls.call("PAIRS.insert", part, place, 0L, NEW_VALUE);
            }
        }
        calls.drain();
        noteBaseline(client);
    }

    /**
     * Notes what the table holds before a load that is not the first on it; {@link #verifyRecord} then judges the
     * difference.
     */
    public void noteBaseline(FulmarClient client) {
        baseline = Statements.longOf(client, SUM);
    }

    @Override
    public RequestSource requests(RandomGenerator random) {
        return new RequestSource() {
            @Override
            public CompletableFuture<CallResult> send(FulmarClient client) {
                boolean apart = random.nextInt(PERCENT) < apartPercent;
                int part = random.nextInt(PARTS);
                int other = apart ? (part + PARTS / 2) % PARTS : part;
                int place = random.nextInt(PLACES);
                int otherPlace = (place + 1 + random.nextInt(PLACES - 1)) % PLACES;
                return client.callAsync(
                        apart ? "UpdateApart" : "UpdateTogether",
                        part + 1,
                        place + 1,
                        other + 1,
                        otherPlace + 1,
                        NEW_VALUE);
            }

            @Override
            public void committed(CallResult result) {
                if (result.longValue() != 2) {
                    throw new IllegalStateException("an update of two rows changed " + result.longValue());
                }
                committed.increment();
            }
        };
    }

    @Override
    public List<String> verifyTables(FulmarClient client, Progress progress) {
        return new TableChecks(client)
                .expect((long) PARTS * PLACES, "rows in pairs", "SELECT COUNT(*) FROM pairs")
                .problems();
    }

    @Override
    public List<String> verifyRecord(FulmarClient client, Progress progress) {
        long expected = baseline + 2 * committed.sum();
        long found = Statements.longOf(client, SUM);
        return found == expected ? List.of() : List.of(SUM + " gives " + found + ", but clients saw " + expected);
    }
}
