package dev.fulmar.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that each lead a part of the tables know what all of them hold, and plan the parts of a query alike. */
class CostedNodesIT {
    private static final String SCHEMA = """
            CREATE TABLE DIGIT (D INTEGER NOT NULL PRIMARY KEY) REPLICATED;
            CREATE TABLE SALES (ID INTEGER NOT NULL PRIMARY KEY, ITEM INTEGER, PLACE INTEGER, STATE INTEGER);
            PARTITION TABLE SALES ON COLUMN ID;
            CREATE INDEX SALES_STATE ON SALES (STATE);
            CREATE INDEX SALES_PLACE ON SALES (PLACE);
            CREATE TABLE ITEMS (ITEM INTEGER NOT NULL, NAME VARCHAR(20)) REPLICATED;
            """;

    private static final String JOIN =
            "SELECT COUNT(*), SUM(S.ID) FROM ITEMS I, SALES S" + " WHERE S.ITEM = I.ITEM AND I.NAME <> 'item 3'";
    private static final String SEARCH = "SELECT COUNT(*), SUM(ID) FROM SALES WHERE STATE = 1 AND PLACE = 77";

    @TempDir
    private Path folder;

    private static List<String> rows(FulmarClient client, String query) {
        ResultTable table = client.execute(query).table();
        List<String> rows = new ArrayList<>();
        while (table.next()) {
            rows.add(table.getObject(0) + (table.columnCount() > 1 ? " " + table.getObject(1) : ""));
        }
        return rows;
    }

    @Test
    void everyNodeKnowsWhatAllHold() throws IOException {
        Path schema = Files.writeString(folder.resolve("schema.sql"), SCHEMA);
        try (StartedCluster cluster = StartedCluster.start(folder, 3, 6, List.of(schema), "128m")) {
            try (FulmarClient client = cluster.connectTo(1)) {
                for (int digit = 0; digit < 10; digit++) {
                    client.execute("INSERT INTO DIGIT VALUES (" + digit + ")");
                }
                client.execute("INSERT INTO ITEMS SELECT D, 'item ' || CAST(D AS VARCHAR(2)) FROM DIGIT");
                client.execute(
                        "INSERT INTO SALES SELECT ID, MOD(ID, 10), MOD(ID, 500), MOD(ID, 2) FROM"
                                + " (SELECT A.D + 10 * B.D + 100 * C.D + 1000 * E.D AS ID FROM DIGIT A, DIGIT B, DIGIT C, DIGIT E) AS N");
            }
            for (int node = 1; node <= 3; node++) {
                try (FulmarClient client = cluster.connectTo(node)) {
                    for (int i = 0; i < 3; i++) {
                        assertThat(rows(client, JOIN)).containsExactly("9000 44997000");
                        assertThat(rows(client, SEARCH)).containsExactly("20 96540");
                    }
                    assertThat(rows(client, "EXPLAIN " + JOIN))
                            .anyMatch(line -> line.contains("scan SALES [about 10000 rows]"));
                    assertThat(rows(client, "EXPLAIN " + SEARCH)).anyMatch(line -> line.contains("SALES_PLACE"));
                }
            }
        }
    }
}
