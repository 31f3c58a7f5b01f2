package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.random.ZipfianKeys;
import dev.fulmar.benchmarks.workload.PipelinedCalls;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.benchmarks.ycsb.KeyChoice;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** Overwrites one column of rows that are drawn by zipf 0.99; nothing else is written. */
final class RowUpdates implements Workload {
    private static final double SKEW = 0.99;
    private static final int LOAD_IN_FLIGHT = 512;

    private final int rows;
    private final int columnBytes;
    private final int fillerBytes;
    private final KeyChoice keys;

    /**
     * @param columnBytes of the column that is overwritten: 8 for a number, else a text
     * @param fillerBytes of the other columns but the key
     */
    RowUpdates(int rows, int columnBytes, int fillerBytes) {
        this.rows = rows;
        this.columnBytes = columnBytes;
        this.fillerBytes = fillerBytes;
        this.keys = new KeyChoice.Zipfian(new ZipfianKeys(rows, SKEW));
    }

    @Override
    public String name() {
        return "row-updates";
    }

    @Override
    public List<Class<?>> procedureClasses() {
        return List.of();
    }

    private boolean isNumber() {
        return columnBytes == Long.BYTES;
    }

    @Override
    public String ddl() {
        String type = isNumber() ? "BIGINT" : "VARCHAR(" + columnBytes + ")";
        String filler = fillerBytes == 0 ? "" : ", filler VARCHAR(" + fillerBytes + ") NOT NULL";
        return "CREATE TABLE written (id BIGINT NOT NULL, item " + type + " NOT NULL" + filler
                + ", PRIMARY KEY (id));\n"
                + "PARTITION TABLE written ON COLUMN id;\n"
                + "CREATE PROCEDURE Overwrite PARTITION ON TABLE written COLUMN id PARAMETER 1"
                + " AS UPDATE written SET item = ? WHERE id = ?;\n";
    }

    @Override
    public void load(FulmarClient client, Progress progress) {
        PipelinedCalls calls = new PipelinedCalls(client, LOAD_IN_FLIGHT);
        String filler = "f".repeat(fillerBytes);
        for (long id = 0; id < rows; id++) {
            if (fillerBytes == 0) {
                calls.call("WRITTEN.insert", id, item(id));
            } else {
                calls.call("WRITTEN.insert", id, item(id), filler);
            }
        }
        calls.drain();
    }

    private Object item(long number) {
        String digits = Long.toString(number);
        return isNumber() ? (Object) number : "i".repeat(columnBytes - digits.length()) + digits;
    }

    @Override
    public RequestSource requests(RandomGenerator random) {
        return new RequestSource() {
            @Override
            public CompletableFuture<CallResult> send(FulmarClient client) {
                return client.callAsync("Overwrite", item(random.nextLong(1_000_000_000_000L)), keys.draw(random));
            }
        };
    }

    @Override
    public List<String> verifyTables(FulmarClient client, Progress progress) {
        return List.of();
    }

    @Override
    public List<String> verifyRecord(FulmarClient client, Progress progress) {
        return List.of();
    }
}
