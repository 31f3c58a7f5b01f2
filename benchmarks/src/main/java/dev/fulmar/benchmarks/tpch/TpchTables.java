package dev.fulmar.benchmarks.tpch;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.Consistency;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Creates, fills and queries TPC-H's tables through a client, with a prefix of their names where others have the same
 * names. Not thread-safe.
 */
public final class TpchTables {
    private static final Pattern NAMES = Pattern.compile("\\b(" + String.join("|", TpchData.TABLES) + ")\\b");

    private final FulmarClient client;
    private final String prefix;

    public TpchTables(FulmarClient client, String prefix) {
        this.client = client;
        this.prefix = prefix;
    }

    /** Makes the tables, spread over the partitions. */
    public void create() {
        TpchScripts.schema().forEach(statement -> client.execute(named(statement)));
        TpchScripts.partitioning().forEach(statement -> client.execute(named(statement)));
    }

    private String named(String statement) {
        return prefix.isEmpty() ? statement : NAMES.matcher(statement).replaceAll(prefix + "$1");
    }

    /** Inserts all rows; returns how many. */
    public int load(TpchData data) {
        List<CompletableFuture<CallResult>> inserts = new ArrayList<>();
        for (String table : TpchData.TABLES) {
            int first = inserts.size();
            data.rows(table, row -> {
                String values = String.join(", ", Collections.nCopies(row.length, "?"));
                CompletableFuture<CallResult> insert =
                        client.executeAsync("INSERT INTO " + prefix + table + " VALUES (" + values + ")", row);
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

    /** Runs one of {@link TpchScripts#queries}. */
    public TpchRows query(String sql, Consistency consistency) {
        ResultTable table = client.execute(consistency, named(sql)).table();
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
}
