package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.client.transfer.DatabaseDump;
import dev.fulmar.client.transfer.DatabaseLoad;
import dev.fulmar.client.transfer.TableLoad;
import dev.fulmar.client.transfer.TransferProgress;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.wiring.FulmarNode;
import dev.fulmar.sql.text.ScriptSplitter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A database goes into files and comes back as it was; a load tells what it could not take, and goes on where it was
 * broken off.
 */
@Timeout(180)
class TransferTest {
    private static final TransferProgress QUIET = (table, rows, rejected) -> {};
    private static final int ROWS = 6_000;
    private static final int OUTSTANDING = 100;

    @TempDir
    private Path folder;

    private static FulmarClient connect(FulmarNode node) {
        return FulmarClient.connect("127.0.0.1:" + node.port());
    }

    private static List<String> rows(FulmarClient client, String query) {
        ResultTable table = client.execute(query).table();
        List<String> rows = new ArrayList<>();
        while (table.next()) {
            List<String> values = new ArrayList<>();
            for (int column = 0; column < table.columnCount(); column++) {
                values.add(String.valueOf(table.getString(column)));
            }
            rows.add(String.join("|", values));
        }
        return rows;
    }

    private static void create(FulmarClient client) {
        client.execute(
                "CREATE TABLE kinds (id INTEGER NOT NULL PRIMARY KEY, b BOOLEAN, t TINYINT, d DECIMAL(20, 3), f DOUBLE,"
                        + " v VARCHAR(40) DEFAULT 'it''s', x VARBINARY(8), day DATE, at TIME, moment TIMESTAMP, u UUID,"
                        + " heard TIMESTAMPTZ DEFAULT CURRENT_TIMESTAMP, CHECK (id > 0)) REPLICATED");
        client.execute(
                "INSERT INTO kinds VALUES"
                        + " (1, TRUE, -3, -12345678901234567.125, 1.5E300, 'a,\"b\"', X'00FF', DATE '2024-02-29', TIME '12:00:01',"
                        + " TIMESTAMP '1969-12-31 23:59:59.5', '123e4567-e89b-12d3-a456-426614174000', '2024-07-01 12:00:00.25+02'),"
                        + " (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),"
                        + " (3, FALSE, 3, 0, 0, '', X'', DATE '0001-01-01', TIME '00:00:00', TIMESTAMP '2024-01-01 00:00:00', NULL, DEFAULT),"
                        + " (4, FALSE, 3, 0, 0, 'zwei\nZeilen äöü', X'', NULL, NULL, NULL, NULL, NULL),"
                        + " (5, NULL, NULL, NULL, NULL, NULL, NULL, 'infinity', NULL, TIMESTAMP '-infinity', NULL, 'infinity')");
        client.execute(
                "CREATE TABLE event (owner VARCHAR(10) NOT NULL, id BIGINT IDENTITY, note VARCHAR(10), PRIMARY KEY (owner, id))");
        client.execute("PARTITION TABLE event ON COLUMN owner");
        client.execute("CREATE INDEX by_note ON event (note DESC)");
        client.execute("CREATE TABLE \"odd/Name\" (\"a b\" INTEGER, c VARCHAR(5))");
        client.execute("INSERT INTO \"odd/Name\" VALUES (1, 'x'), (1, 'x')");
        client.execute("CREATE TABLE a_child (kind INTEGER REFERENCES kinds ON DELETE CASCADE, n INTEGER) REPLICATED");
        client.execute("INSERT INTO a_child VALUES (1, 1), (2, 2), (NULL, 3)");
        client.execute("CREATE SCHEMA shop");
        client.execute(
                "CREATE TABLE shop.item (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name VARCHAR(10), best INTEGER)"
                        + " REPLICATED");
        client.execute("INSERT INTO shop.item (name) VALUES ('pen'), ('ink')");
        client.execute("CREATE UNIQUE INDEX one_name ON shop.item (LOWER(name))");
        client.execute("ALTER TABLE kinds ADD COLUMN item BIGINT");
        client.execute("UPDATE kinds SET item = 2 WHERE id = 1");
        client.execute("ALTER TABLE kinds ADD COLUMN written JSON");
        client.execute("ALTER TABLE kinds ADD COLUMN known JSONB DEFAULT '{\"b\":1,\"a\":[\"x,y\"]}'");
        client.execute("UPDATE kinds SET written = '{ \"b\":\t\"it''s\" }' WHERE id < 3");
        client.execute("ALTER TABLE kinds ADD COLUMN pause INTERVAL DEFAULT INTERVAL '1 mon -3 days 00:00:01.5'");
        client.execute("ALTER TABLE kinds ADD COLUMN length INTERVAL DAY TO SECOND(1)");
        client.execute("UPDATE kinds SET length = '1 day 25:00:00.04' WHERE id < 3");
        client.execute("CREATE TYPE shop.\"Mood of\" AS ENUM ('so, so', 'it''s', '')");
        client.execute("ALTER TABLE kinds ADD COLUMN feels shop.\"Mood of\" DEFAULT 'it''s'");
        client.execute(
                "UPDATE kinds SET feels = CASE id WHEN 1 THEN CAST('so, so' AS shop.\"Mood of\") WHEN 2 THEN '' ELSE NULL END WHERE id < 4");
        client.execute("COMMENT ON TYPE shop.\"Mood of\" IS 'how one feels'");
        client.execute("ALTER TABLE kinds ADD COLUMN tags VARCHAR(9)[] DEFAULT ARRAY['x,y', NULL]");
        client.execute("ALTER TABLE kinds ADD COLUMN sums NUMERIC(20, 3)[]");
        client.execute("UPDATE kinds SET tags = '{\"a \\\"b\",\"it''s\",\"\"}', sums = '{1.5,NULL}' WHERE id < 3");
        addArrays(client);
        client.execute("ALTER TABLE kinds ADD FOREIGN KEY (item) REFERENCES shop.item");
        client.execute("ALTER TABLE shop.item ADD FOREIGN KEY (best) REFERENCES kinds");
        client.execute("COMMENT ON COLUMN shop.item.name IS 'what it''s called'");
        client.execute("CREATE ROLE seller");
        client.execute("CREATE ROLE boss");
        client.execute("GRANT SELECT, INSERT ON shop.item TO seller");
        client.execute("GRANT DDL TO boss");
        client.execute("GRANT boss TO seller");
        client.execute("CREATE SEQUENCE ticket START WITH 7");
        client.execute("SELECT NEXT VALUE FOR ticket");
        client.execute("CREATE SEQUENCE dense START WITH 100 INCREMENT BY 10 CACHE 4");
        client.execute("SELECT nextval('dense')");
    }

    /** An array of each type of elements, made of the column of that type. */
    private static void addArrays(FulmarClient client) {
        for (String each : List.of(
                "b BOOLEAN",
                "t TINYINT",
                "d DECIMAL(20, 3)",
                "f DOUBLE",
                "v VARCHAR(40)",
                "day DATE",
                "at TIME",
                "moment TIMESTAMP",
                "u UUID",
                "heard TIMESTAMPTZ")) {
            int blank = each.indexOf(' ');
            String column = each.substring(0, blank);
            client.execute(
                    "ALTER TABLE kinds ADD COLUMN " + column + "_list" + each.substring(blank) + "[] DEFAULT '{}'");
            client.execute(
                    "UPDATE kinds SET " + column + "_list = ARRAY[" + column + ", NULL, " + column + "] WHERE id < 4");
        }
        client.execute("UPDATE kinds SET v_list = ARRAY['', 'NULL', 'a, b', '{\"}', '\\'] WHERE id = 3");
    }

    @Test
    void aDatabaseComesBackAsItWas() throws IOException {
        String all = "SELECT * FROM kinds ORDER BY id";
        String events = "SELECT owner, id, note FROM event ORDER BY 1, 2, 3";
        String definitions = "SELECT STATEMENT FROM INFORMATION_SCHEMA.DEFINITIONS"
                + " WHERE OBJECT_TYPE NOT IN ('SEQUENCE', 'TABLE') ORDER BY ORDINAL_POSITION";
        List<String> kinds;
        List<String> before;
        List<String> defined;
        try (FulmarNode node = SmallNode.start(3);
                FulmarClient client = connect(node)) {
            create(client);
            client.execute("CREATE VIEW notes_of AS SELECT note, owner FROM event");
            client.execute("CREATE VIEW a_view (n) AS SELECT COUNT(*) FROM notes_of");
            client.execute(
                    "CREATE PROCEDURE note PARTITION ON TABLE event COLUMN owner AS INSERT INTO event (owner, note) VALUES (?, ?)");
            List<CompletableFuture<CallResult>> calls = new ArrayList<>();
            for (int i = 0; i < ROWS; i++) {
                calls.add(client.callAsync("note", "o" + i % 7, "n" + i % 5));
            }
            calls.forEach(CompletableFuture::join);
            kinds = rows(client, all);
            before = rows(client, events);
            defined = rows(client, definitions);
            new DatabaseDump(client, folder, 2, true, QUIET).run(List.of());
        }
        assertThat(before).hasSize(ROWS);
        try (FulmarNode node = SmallNode.start(2);
                FulmarClient client = connect(node)) {
            List<String> schema = ScriptSplitter.split(Files.readString(folder.resolve(DatabaseDump.SCHEMA_FILE)));
            Map<String, TableLoad.Report> reports =
                    new DatabaseLoad(client, folder, QUIET).run(schema, false, 0, OUTSTANDING);
            assertThat(reports.get("EVENT")).isEqualTo(new TableLoad.Report(ROWS, 0, 0));
            assertThat(rows(client, all)).isEqualTo(kinds);
            assertThat(rows(client, events)).isEqualTo(before);
            assertThat(rows(client, definitions)).isEqualTo(defined);
            assertThat(rows(client, "SELECT id, name FROM shop.item ORDER BY id"))
                    .containsExactly("1|pen", "2|ink");
            assertThat(rows(client, "SELECT item FROM kinds WHERE item IS NOT NULL"))
                    .containsExactly("2");
            assertThat(rows(client, "INSERT INTO shop.item (name) VALUES ('cap') RETURNING id"))
                    .containsExactly("3");
            assertThat(rows(client, "SELECT \"a b\", C FROM \"odd/Name\"")).containsExactly("1|x", "1|x");
            assertThat(rows(client, "SELECT n FROM a_view")).containsExactly(Integer.toString(ROWS));
            client.execute("DELETE FROM kinds WHERE id = 2");
            assertThat(rows(client, "SELECT n FROM a_child ORDER BY n")).containsExactly("1", "3");
            client.call("note", "o1", "new");
            assertThat(rows(client, "SELECT COUNT(*), COUNT(DISTINCT id) FROM event"))
                    .as("a number that was drawn before the dump is not drawn behind it")
                    .containsExactly((ROWS + 1) + "|" + (ROWS + 1));
            assertThat(rows(client, "SELECT NEXT VALUE FOR ticket > 7")).containsExactly("true");
            assertThat(rows(client, "SELECT nextval('dense'), nextval('dense')"))
                    .containsExactly("140|150");
        }
    }

    /** Then a table of which nothing was said was replicated. */
    @Test
    void aDumpOfAnEarlierVersionHasItsTablesWhereTheyWere() {
        try (FulmarNode node = SmallNode.start(3);
                FulmarClient client = connect(node)) {
            List<String> schema = List.of(
                    "CREATE TABLE \"RATE\" (\n  \"ID\" INTEGER NOT NULL,\n  PRIMARY KEY (\"ID\")\n)",
                    "CREATE TABLE \"SALE\" (\n  \"REPLICATED\" INTEGER NOT NULL,\n  \"RATE\" INTEGER\n)",
                    "PARTITION TABLE \"SALE\" ON COLUMN \"REPLICATED\"",
                    "CREATE TABLE \"ROWS\" (\n  \"N\" INTEGER\n) PARTITION ON ROW",
                    "CREATE TABLE \"KEYS\" (\n  \"a \"\" b\" INTEGER NOT NULL\n) PARTITION ON COLUMN \"a \"\" b\"",
                    "CREATE TABLE \"ALL\" (\n  \"N\" INTEGER\n) REPLICATED");
            new DatabaseLoad(client, folder, QUIET).run(schema, false, 0, OUTSTANDING);
            assertThat(
                            rows(
                                    client,
                                    "SELECT TABLE_NAME, PLACEMENT, PARTITIONING_COLUMN FROM INFORMATION_SCHEMA.TABLES ORDER BY 1"))
                    .containsExactly(
                            "ALL|REPLICATED|null",
                            "KEYS|COLUMN|a \" b",
                            "RATE|REPLICATED|null",
                            "ROWS|ROW|null",
                            "SALE|COLUMN|REPLICATED");
        }
    }

    @Test
    void aLoadTellsWhatItCouldNotTakeAndGoesOnWhereItEnded() throws IOException {
        StringBuilder csv = new StringBuilder("id,name\n");
        for (int i = 1; i <= ROWS; i++) {
            csv.append(i == 2_500 || i == 4_000 ? "x" : i)
                    .append(",\"n")
                    .append(i)
                    .append("\"\n");
        }
        Path file = folder.resolve("item.csv");
        Files.writeString(file, csv.toString().replace("id,name", "ID,NAME"));
        try (FulmarNode node = SmallNode.start(3);
                FulmarClient client = connect(node)) {
            client.execute("CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(10))");
            client.execute("PARTITION TABLE item ON COLUMN id");
            TableLoad.Request strict =
                    new TableLoad.Request(file, "item", List.of(), ',', false, false, 0, OUTSTANDING);
            assertThatThrownBy(() -> new TableLoad(client, strict, QUIET).run())
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_TEXT));
            assertThat(Files.readString(strict.markFile()).strip()).isEqualTo("2500");
            client.drain();
            TableLoad.Request resumed =
                    new TableLoad.Request(file, "item", List.of(), ',', false, true, 1, OUTSTANDING);
            TableLoad.Report report = new TableLoad(client, resumed, QUIET).run();
            assertThat(report.rejected()).isEqualTo(1);
            assertThat(report.rows() + report.alreadyThere()).isEqualTo(ROWS - 2_501);
            assertThat(rows(client, "SELECT COUNT(*), MIN(id), MAX(id) FROM item"))
                    .containsExactly((ROWS - 2) + "|1|" + ROWS);
            assertThat(Files.readString(resumed.rejectFile())).isEqualTo("x,\"n2500\"\nx,\"n4000\"\n");
            assertThat(Files.readAllLines(resumed.reasonFile()).getFirst()).startsWith("line 2501: INVALID_TEXT");
            assertThat(resumed.markFile()).doesNotExist();
            TableLoad.Request upsert = new TableLoad.Request(
                    resumed.rejectFile(), "item", List.of("name", "id"), ',', true, false, 10, OUTSTANDING);
            assertThat(new TableLoad(client, upsert, QUIET).run().rejected()).isEqualTo(2);
        }
    }

    private static TableLoad.Request request(Path file, boolean resume) {
        return new TableLoad.Request(file, "item", List.of(), ',', false, resume, 10, OUTSTANDING);
    }

    @Test
    void namesOfColumnsAreFoundInAnyCaseUnlessTwoDifferInThat() throws IOException {
        try (FulmarNode node = SmallNode.start(2);
                FulmarClient client = connect(node)) {
            client.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, \"Name\" VARCHAR(9), \"name\" VARCHAR(9))");
            Path file = Files.writeString(folder.resolve("i.csv"), "Id,name,Name\n1,a,b\n");
            assertThat(new TableLoad(client, request(file, false), QUIET).run().rows())
                    .isEqualTo(1);
            assertThat(rows(client, "SELECT id, \"Name\" FROM item")).containsExactly("1|b");
            Path vague = Files.writeString(folder.resolve("v.csv"), "id,NAME\n2,a\n");
            assertThatThrownBy(() -> new TableLoad(client, request(vague, false), QUIET).run())
                    .hasMessageContaining("there is no column NAME in ITEM");
        }
    }

    @Test
    void aFileThatIsNoCsvFromSomeLineOnIsLoadedUpToThereAndResumed() throws IOException {
        try (FulmarNode node = SmallNode.start(2);
                FulmarClient client = connect(node)) {
            client.execute("CREATE TABLE item (id INTEGER, name VARCHAR(9))");
            String good = "id,name\n1,a\nx,b\n3,c\n";
            Path file = Files.writeString(folder.resolve("i.csv"), good + "4,\"d\n5,e\n");
            assertThatThrownBy(() -> new TableLoad(client, request(file, false), QUIET).run())
                    .hasMessageContaining("line 5 is no CSV");
            assertThat(rows(client, "SELECT COUNT(*) FROM item")).containsExactly("2");
            assertThat(Files.readString(request(file, true).markFile())).isEqualTo("3\n");
            assertThat(Files.readString(request(file, true).rejectFile())).isEqualTo("x,b\n");
            Files.write(file, (good + "4,\u00e4\n").getBytes(StandardCharsets.ISO_8859_1));
            assertThatThrownBy(() -> new TableLoad(client, request(file, true), QUIET).run())
                    .hasMessageContaining("line 5 of")
                    .hasMessageContaining("is not UTF-8");
            Files.writeString(file, good + "4,\u00e4\n");
            // The table has no unique key, so a record that is sent again would be there twice.
            assertThat(new TableLoad(client, request(file, true), QUIET).run().rows())
                    .isEqualTo(1);
            assertThat(rows(client, "SELECT id, name FROM item ORDER BY id")).containsExactly("1|a", "3|c", "4|\u00e4");
        }
    }

    /** However often a database is dumped and loaded, its statements grow no longer. */
    @Test
    void theStatementOfATableMakesOneThatSaysTheSame() {
        String question = "SELECT STATEMENT FROM INFORMATION_SCHEMA.DEFINITIONS ORDER BY ORDINAL_POSITION";
        try (FulmarNode node = SmallNode.start(2);
                FulmarClient client = connect(node)) {
            client.execute("CREATE TABLE item (id INTEGER PRIMARY KEY CHECK (id > 0), n INTEGER DEFAULT 2 * (3 + 4),"
                    + " CHECK ((n) > (1) OR (id) < (n)))");
            client.execute("CREATE INDEX few ON item (n + 1) WHERE (n > 5) AND (id > 5)");
            List<String> made = rows(client, question);
            client.execute("DROP TABLE item");
            made.forEach(client::execute);
            assertThat(rows(client, question)).isEqualTo(made);
        }
    }
}
