package dev.fulmar.benchmarks.tpch;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.client.Consistency;
import dev.fulmar.client.FulmarClient;
import java.util.Map;

/** TPC-H's tables in a node of this process. */
public final class TpchDatabase implements AutoCloseable {
    private static final int MOST_IN_FLIGHT = 200;

    private final LocalDatabase database;
    private final FulmarClient client;
    private final TpchTables tables;

    public TpchDatabase(int partitions) {
        database = LocalDatabase.start(
                Map.of("partitions", Integer.toString(partitions), "sites", "1", "memory.limit", "1g", "jmx", "false"));
        client = database.connect(MOST_IN_FLIGHT);
        tables = new TpchTables(client, "");
        tables.create();
    }

    /** Inserts all rows; returns how many. */
    public int load(TpchData data) {
        return tables.load(data);
    }

    public TpchRows query(String sql) {
        return tables.query(sql, Consistency.DECLARED);
    }

    @Override
    public void close() {
        client.close();
        database.close();
    }
}
