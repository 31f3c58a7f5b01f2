package dev.fulmar.benchmarks.tpch;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** TPC-H's tables in a node of this process. */
public final class TpchDatabase implements AutoCloseable {
    private static final int MOST_IN_FLIGHT = 200;

    private final LocalDatabase database;
    private final FulmarClient client;

    public TpchDatabase(int partitions) {
        database = LocalDatabase.start(
                Map.of("partitions", Integer.toString(partitions), "sites", "1", "memory.limit", "1g", "jmx", "false"));
        client = database.connect(MOST_IN_FLIGHT);
        TpchScripts.schema().forEach(client::execute);
        TpchScripts.partitioning().forEach(client::execute);
    }

    /** Inserts all rows; returns how many. */
    public int load(TpchData data) {
        List<CompletableFuture<CallResult>> inserts = new ArrayList<>();
        for (String table : TpchData.TABLES) {
            int first = inserts.size();
            data.rows(table, row -> {
                String values = String.join(", ", Collections.nCopies(row.length, "?"));
                CompletableFuture<CallResult> insert =
                        client.executeAsync("INSERT INTO " + table + " VALUES (" + values + ")", row);
                inserts.add(insert);
                if (inserts.size() == first + 1) {
                    // Until it is compiled, thousands of others must not overtake it.
                    insert.join();
                }
            });
        }
        inserts.forEach(CompletableFuture::join);
        return inserts.size();
    }

    public TpchRows query(String sql) {
        ResultTable table = client.execute(sql).table();
        TpchRows rows = new TpchRows();
        while (table.next()) {
            List<@Nullable Object> row = new ArrayList<>();
            for (int column = 0; column < table.columnCount(); column++) {
                row.add(table.getObject(column));
            }
            rows.add(row);
        }
        return rows;
    }

    @Override
    public void close() {
        client.close();
        database.close();
    }
}
