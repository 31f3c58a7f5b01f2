package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.RunningCall;
import dev.fulmar.client.Session;
import dev.fulmar.client.transfer.DatabaseDump;
import dev.fulmar.client.transfer.DatabaseLoad;
import dev.fulmar.client.transfer.TransferProgress;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tables that are spread over three partitions by hidden row ids. */
@Timeout(180)
class RowIdsTest extends DurableNodeFixture {
    private static final int PARTITIONS = 3;
    private static final TransferProgress QUIET = (table, rows, rejected) -> {};

    RowIdsTest() {
        super(PARTITIONS);
    }

    private List<String> rows(String query) {
        return ResultRows.of(client, query, " ");
    }

    private String placement(String table) {
        return rows("SELECT PLACEMENT, PARTITIONING_COLUMN FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME = '" + table
                        + "'")
                .getFirst();
    }

    /** The rows that each partition has, as EXPLAIN ANALYZE counts them. */
    private long fewestOnOnePartition(String table) {
        String scan = rows("EXPLAIN ANALYZE SELECT COUNT(*) FROM " + table).stream()
                .filter(line -> line.contains("scan " + table))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(scan.replaceAll(".*rows of each ([0-9]+) to .*", "$1"));
    }

    private static String values(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "(" + i + ", 'n" + i % 7 + "')")
                .collect(Collectors.joining(", "));
    }

    private void createLog() {
        client.execute("CREATE TABLE log (n INTEGER, note VARCHAR(10)) PARTITIONED");
    }

    @Test
    void rowsAreSpreadHoweverTheyAreInserted() {
        createLog();
        assertThat(placement("LOG")).isEqualTo("ROW null");
        for (int i = 0; i < 300; i++) {
            client.execute("INSERT INTO log VALUES (?, ?)", i, "one");
        }
        assertThat(fewestOnOnePartition("LOG")).isBetween(60L, 100L);
        client.execute("INSERT INTO log VALUES " + values(300));
        assertThat(fewestOnOnePartition("LOG")).isBetween(140L, 200L);
        client.execute("INSERT INTO log VALUES " + values(2_000)); // more than a statement has parameters
        assertThat(fewestOnOnePartition("LOG")).isBetween(700L, 867L);
        client.execute("INSERT INTO log SELECT n, 'copy' FROM log");
        assertThat(number("SELECT COUNT(*) FROM log WHERE note = 'copy'")).isEqualTo(2_600);
        assertThat(fewestOnOnePartition("LOG")).isBetween(1_450L, 1_734L);
        client.execute("INSERT INTO log (note) SELECT 'same' FROM log"); // rows that are all alike
        assertThat(fewestOnOnePartition("LOG")).isBetween(3_000L, 3_467L);
        client.execute("INSERT INTO log DEFAULT VALUES");
        assertThat(number("SELECT COUNT(*) FROM log WHERE n IS NULL AND note IS NULL"))
                .isEqualTo(1);
        restart();
        assertThat(number("SELECT COUNT(*) FROM log")).isEqualTo(10_401);
        assertThat(fewestOnOnePartition("LOG")).isBetween(3_000L, 3_468L);
    }

    /** One statement of one row needs one partition. */
    @Test
    void explainTells() {
        createLog();
        assertThat(rows("EXPLAIN INSERT INTO log VALUES (1, 'x')").toString())
                .contains("the partition of each row's hidden id");
        assertThat(rows("EXPLAIN CREATE TABLE x (a INTEGER) PARTITIONED"))
                .contains("partitioned on a hidden row id, for no column of a primary key can place rows");
        assertThat(rows("EXPLAIN CREATE TABLE x (a INTEGER PRIMARY KEY) PARTITION ON ROW"))
                .contains("partitioned on a hidden row id");
    }

    @Test
    void noStatementKnowsTheColumn() {
        createLog();
        client.execute("INSERT INTO log VALUES (1, 'a'), (2, 'b')");
        assertThat(rows("SELECT * FROM log ORDER BY n")).containsExactly("1 a", "2 b");
        assertThat(rows("SELECT l.*, m.n FROM log l JOIN log m ON m.n = l.n + 1"))
                .containsExactly("1 a 2");
        assertThat(rows("SELECT * FROM log l LEFT JOIN log m ON m.n = l.n + 1 ORDER BY l.n"))
                .containsExactly("1 a 2 b", "2 b null null");
        assertThat(rows("SELECT COLUMN_NAME FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_NAME = 'LOG'"))
                .containsExactly("N", "NOTE");
        assertThat(client.execute("SELECT * FROM log NATURAL JOIN log AS m")
                        .table()
                        .rowCount())
                .isEqualTo(2);
        fails(ErrorCode.UNKNOWN_OBJECT, "SELECT \".ROW\" FROM log");
        fails(ErrorCode.UNKNOWN_OBJECT, "INSERT INTO log (n, \".ROW\") VALUES (1, 2)");
        fails(ErrorCode.UNKNOWN_OBJECT, "UPDATE log SET \".ROW\" = 2");
        fails(ErrorCode.SYNTAX, "INSERT INTO log VALUES (1, 'a', 2)");
        fails(ErrorCode.UNKNOWN_OBJECT, "CREATE INDEX i ON log (\".ROW\")");
        fails(ErrorCode.UNKNOWN_OBJECT, "ALTER TABLE log DROP COLUMN \".ROW\"");
        fails(ErrorCode.UNKNOWN_OBJECT, "ALTER TABLE log ALTER COLUMN \".ROW\" DROP DEFAULT");
        fails(ErrorCode.UNKNOWN_OBJECT, "ALTER TABLE log RENAME COLUMN \".ROW\" TO r");
        fails(ErrorCode.UNKNOWN_OBJECT, "COMMENT ON COLUMN log.\".ROW\" IS 'x'");
    }

    @Test
    void rowsChangeWhereTheyAre() {
        createLog();
        client.execute("INSERT INTO log VALUES " + values(70));
        client.execute("CREATE INDEX by_note ON log (note)");
        client.execute("CREATE INDEX by_n ON log (n)");
        assertThat(client.execute("UPDATE log SET note = 'all'").longValue()).isEqualTo(70);
        assertThat(client.execute("UPDATE log SET n = n + 1000 WHERE n < 10").longValue())
                .isEqualTo(10);
        assertThat(client.execute("UPDATE log SET note = 'some' WHERE n IN (1000, 1001, 50)")
                        .longValue())
                .isEqualTo(3);
        assertThat(number("SELECT COUNT(*) FROM log WHERE note = 'some'")).isEqualTo(3);
        assertThat(client.execute("DELETE FROM log WHERE n > 60").longValue()).isEqualTo(19);
        restart();
        assertThat(number("SELECT COUNT(*) FROM log")).isEqualTo(51);
        client.execute("TRUNCATE TABLE log");
        assertThat(number("SELECT COUNT(*) FROM log")).isZero();
    }

    @Test
    void keysAndReferencesHoldOverPartitions() {
        client.execute("CREATE TABLE person (id INTEGER PRIMARY KEY) PARTITIONED");
        client.execute("INSERT INTO person VALUES (1), (2)");
        client.execute("CREATE TABLE visit (who INTEGER REFERENCES person ON DELETE CASCADE, code INTEGER UNIQUE,"
                + " id BIGINT GENERATED ALWAYS AS IDENTITY, CHECK (code > 0)) PARTITION ON ROW");
        for (int i = 1; i <= 20; i++) {
            client.execute("INSERT INTO visit (who, code) VALUES (?, ?)", 1 + i % 2, i);
        }
        fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO visit (who, code) VALUES (1, 7)");
        fails(ErrorCode.FOREIGN_KEY_VIOLATION, "INSERT INTO visit (who, code) VALUES (3, 70)");
        fails(ErrorCode.CHECK_VIOLATION, "INSERT INTO visit (who, code) VALUES (1, 0)");
        fails(ErrorCode.NOT_SUPPORTED, "CREATE UNIQUE INDEX half ON visit (code) WHERE who > 1");
        client.execute("INSERT INTO visit (who, code) SELECT who, code + 100 FROM visit");
        assertThat(number("SELECT COUNT(DISTINCT id) FROM visit")).isEqualTo(40);
        assertThat(client.execute("DELETE FROM person WHERE id = 1").longValue())
                .isEqualTo(1);
        assertThat(number("SELECT COUNT(*) FROM visit")).isEqualTo(20);
        assertThat(rows("SELECT COUNT(*) FROM visit v JOIN person p ON p.id = v.who"))
                .containsExactly("20");
    }

    @Test
    void viewsShowSuchTables() {
        createLog();
        client.execute("CREATE VIEW notes AS SELECT * FROM log WHERE n > 2");
        client.execute(
                "CREATE MATERIALIZED VIEW sums AS SELECT note, COUNT(*) AS c, SUM(n) AS s FROM log GROUP BY note");
        client.execute("INSERT INTO log VALUES (1, 'a'), (2, 'a'), (3, 'b'), (4, 'b')");
        client.execute("UPDATE log SET n = 5 WHERE n = 1");
        assertThat(rows("SELECT * FROM notes ORDER BY n")).containsExactly("3 b", "4 b", "5 a");
        assertThat(rows("SELECT * FROM sums ORDER BY note")).containsExactly("a 2 7", "b 2 7");
        client.execute("DELETE FROM log WHERE n = 3");
        assertThat(rows("SELECT * FROM sums ORDER BY note")).containsExactly("a 2 7", "b 1 4");
    }

    @Test
    void columnsComeAndGo() {
        createLog();
        client.execute("INSERT INTO log VALUES " + values(30));
        client.execute("ALTER TABLE log ADD COLUMN kind INTEGER DEFAULT 7 NOT NULL CHECK (kind > 0)");
        client.execute("INSERT INTO log VALUES (100, 'x', 8)");
        fails(ErrorCode.CHECK_VIOLATION, "INSERT INTO log VALUES (100, 'x', 0)");
        client.execute("ALTER TABLE log DROP COLUMN n");
        client.execute("ALTER TABLE log RENAME COLUMN note TO n");
        client.execute("ALTER TABLE log ALTER COLUMN n TYPE VARCHAR(20)");
        client.execute("ALTER TABLE log ADD COLUMN m INTEGER UNIQUE");
        client.execute("ALTER TABLE log RENAME TO diary");
        client.execute("INSERT INTO diary VALUES ('y', 9, 1), ('z', 10, 2)");
        fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO diary VALUES ('y', 9, 1)");
        assertThat(rows("SELECT * FROM diary WHERE kind > 7 ORDER BY kind"))
                .containsExactly("x 8 null", "y 9 1", "z 10 2");
        client.execute("ALTER TABLE diary DROP COLUMN m CASCADE");
        client.execute("ALTER TABLE diary DROP COLUMN kind CASCADE");
        fails(ErrorCode.NOT_SUPPORTED, "ALTER TABLE diary DROP COLUMN n");
        assertThat(placement("DIARY")).isEqualTo("ROW null");
        restart();
        assertThat(number("SELECT COUNT(*) FROM diary")).isEqualTo(33);
        client.execute("INSERT INTO diary VALUES ('z')");
    }

    @Test
    void aTableWithoutRowsIsPlacedByItsNewKey() {
        createLog();
        client.execute("ALTER TABLE log ADD PRIMARY KEY (n)");
        assertThat(placement("LOG")).isEqualTo("COLUMN N");
        client.execute("INSERT INTO log VALUES " + values(30));
        assertThat(rows("SELECT * FROM log WHERE n = 8")).containsExactly("8 n1");
        client.execute("CREATE TABLE other (id BIGINT GENERATED ALWAYS AS IDENTITY, k INTEGER NOT NULL) PARTITIONED");
        client.execute("PARTITION TABLE other ON COLUMN k");
        assertThat(placement("OTHER")).isEqualTo("COLUMN K");
        client.execute("INSERT INTO other (k) VALUES (1), (2)");
        restart();
        assertThat(placement("LOG")).isEqualTo("COLUMN N");
        assertThat(number("SELECT COUNT(*) FROM other WHERE k = 2")).isEqualTo(1);
        client.execute("INSERT INTO log VALUES (30, 'x')");
        assertThat(number("SELECT COUNT(*) FROM log")).isEqualTo(31);
    }

    @Test
    void aTableWithRowsKeepsItsRowIds() {
        createLog();
        client.execute("INSERT INTO log VALUES (1, 'a'), (2, 'b'), (3, 'c')");
        fails(ErrorCode.NOT_SUPPORTED, "PARTITION TABLE log ON COLUMN note"); // which may be null
        client.execute("ALTER TABLE log ADD PRIMARY KEY (n) NOT VALID");
        client.execute("ALTER TABLE log VALIDATE CONSTRAINT log_primary_key");
        fails(ErrorCode.NOT_SUPPORTED, "PARTITION TABLE log ON COLUMN n");
        assertThat(placement("LOG")).isEqualTo("ROW null");
        fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO log VALUES (3, 'd')");
        client.execute("UPDATE log SET n = n + 10 WHERE n IN (SELECT MAX(n) FROM log)");
        client.execute("MERGE INTO log USING (VALUES (1, 'A'), (4, 'D')) AS s (n, note) ON log.n = s.n"
                + " WHEN MATCHED THEN UPDATE SET note = s.note WHEN NOT MATCHED THEN INSERT VALUES (s.n, s.note)");
        assertThat(rows("SELECT * FROM log ORDER BY n")).containsExactly("1 A", "2 b", "4 D", "13 c");
        assertThat(client.call("LOG.select", 4).table().first().getString(1)).isEqualTo("D");
        client.call("LOG.insert", 5, "e");
        client.call("LOG.update", 5, "E");
        client.call("LOG.delete", 2);
        restart();
        assertThat(rows("SELECT * FROM log ORDER BY n")).containsExactly("1 A", "4 D", "5 E", "13 c");
        client.execute("ALTER TABLE log DROP CONSTRAINT log_primary_key");
        client.execute("INSERT INTO log VALUES (5, 'again')");
    }

    @Test
    void aTableWithRowsIsPlacedByItsNewKey() {
        createLog();
        client.execute("INSERT INTO log VALUES " + values(3_000));
        client.execute("CREATE TABLE seen (d DOUBLE NOT NULL, log INTEGER)");
        client.execute("INSERT INTO seen VALUES (1.5, 8), (2.5, 9)");
        fails(ErrorCode.NOT_SUPPORTED, "ALTER TABLE log ADD PRIMARY KEY (n) PARTITIONED");
        client.execute("ALTER TABLE log ADD PRIMARY KEY (n)");
        client.execute("ALTER TABLE seen ADD PRIMARY KEY (d)"); // which cannot place rows
        client.execute("ALTER TABLE seen ADD FOREIGN KEY (log) REFERENCES log");
        assertThat(placement("LOG")).isEqualTo("COLUMN N");
        assertThat(placement("SEEN")).isEqualTo("ROW null");
        assertThat(rows("EXPLAIN SELECT * FROM log WHERE n = 8").toString()).contains("on partition of");
        assertThat(rows("SELECT * FROM log WHERE n = 8")).containsExactly("8 n1");
        fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO log VALUES (8, 'x')");
        fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO seen VALUES (1.5, 8)");
        restart();
        assertThat(placement("LOG")).isEqualTo("COLUMN N");
        assertThat(number("SELECT COUNT(*) FROM log")).isEqualTo(3_000);
        assertThat(number("SELECT COUNT(DISTINCT n) FROM log")).isEqualTo(3_000);
    }

    private RunningCall begin(String statement, int underWay) {
        RunningCall placing = client.statement(statement).start();
        while (node.database().catalog().pending().size() < underWay) {
            assertThat(placing.outcome()).as("it has not begun").isNotDone();
            Thread.onSpinWait();
        }
        return placing;
    }

    private void createLargeLog() {
        createLog();
        client.execute("INSERT INTO log VALUES " + values(5_000));
        client.execute("INSERT INTO log SELECT n + 5000, note FROM log");
        client.execute("INSERT INTO log SELECT n + 10000, note FROM log");
    }

    /** A cancel leaves the key with the rows where they were, and the same statement goes on. */
    @Test
    void aStatementThatFindsItsKeyPlacesTheRows() throws Exception {
        createLargeLog();
        RunningCall placing = begin("ALTER TABLE log ADD PRIMARY KEY (n)", 1);
        placing.cancel().get(10, TimeUnit.SECONDS);
        assertThatThrownBy(placing::await)
                .hasMessageContaining("has its primary key")
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.CANCELLED));
        assertThat(placement("LOG")).isEqualTo("ROW null");
        fails(ErrorCode.OBJECT_EXISTS, "ALTER TABLE log ADD PRIMARY KEY (note)");
        fails(ErrorCode.OBJECT_EXISTS, "ALTER TABLE log ADD PRIMARY KEY (n) NOT VALID");
        client.execute("ALTER TABLE log ADD PRIMARY KEY (n)");
        assertThat(placement("LOG")).isEqualTo("COLUMN N");
        assertThat(rows("SELECT COUNT(*), COUNT(DISTINCT n) FROM log")).containsExactly("20000 20000");
        fails(ErrorCode.OBJECT_EXISTS, "ALTER TABLE log ADD PRIMARY KEY (n)");
    }

    /** As after the end of a node that looked at the rows. */
    @Test
    void aStatementThatFindsItsKeyNotValidLooksAtTheRowsAndPlacesThem() {
        createLog();
        client.execute("INSERT INTO log VALUES " + values(30));
        client.execute("ALTER TABLE log ADD PRIMARY KEY (n) NOT VALID");
        client.execute("ALTER TABLE log ADD PRIMARY KEY (n)");
        assertThat(placement("LOG")).isEqualTo("COLUMN N");
        assertThat(number("SELECT COUNT(*) FROM log")).isEqualTo(30);
    }

    /** Rows of which it is not known whether they keep it stay where they are. */
    @Test
    void aConstraintThatIsNotValidKeepsTheRowsWhereTheyAre() {
        createLog();
        client.execute("INSERT INTO log VALUES " + values(5));
        client.execute("ALTER TABLE log ADD CONSTRAINT one UNIQUE (note) NOT VALID");
        client.execute("ALTER TABLE log ADD PRIMARY KEY (n)");
        assertThat(placement("LOG")).isEqualTo("ROW null");
        client.execute("ALTER TABLE log VALIDATE CONSTRAINT one");
        client.execute("ALTER TABLE log ADD PRIMARY KEY (n)");
        assertThat(placement("LOG")).isEqualTo("COLUMN N");
    }

    @Test
    void twoTablesArePlacedAtOnce() {
        createLargeLog();
        client.execute("CREATE TABLE other (n INTEGER NOT NULL, note VARCHAR(10)) PARTITIONED");
        client.execute("INSERT INTO other SELECT * FROM log");
        client.execute("ALTER TABLE log ALTER COLUMN n SET NOT NULL");
        RunningCall one = begin("ALTER TABLE log PARTITION ON COLUMN n", 1);
        RunningCall two =
                client.statement("ALTER TABLE other PARTITION ON COLUMN n").start();
        one.await();
        two.await();
        assertThat(placement("LOG")).isEqualTo("COLUMN N");
        assertThat(placement("OTHER")).isEqualTo("COLUMN N");
        assertThat(rows("SELECT COUNT(*), SUM(l.n - o.n) FROM log l JOIN other o ON l.n = o.n"))
                .containsExactly("20000 0");
    }

    /** The view lies with the rows of its table. */
    @Test
    void aMaterializedViewKeepsTheRowsWhereTheyAre() {
        createLog();
        client.execute("CREATE MATERIALIZED VIEW notes (note, n) AS SELECT note, COUNT(*) FROM log GROUP BY note");
        fails(ErrorCode.DEPENDENT_OBJECTS, "PARTITION TABLE log ON COLUMN n");
        client.execute("ALTER TABLE log ADD PRIMARY KEY (n)");
        client.execute("INSERT INTO log VALUES " + values(30));
        client.execute("ALTER TABLE log DROP CONSTRAINT log_primary_key");
        client.execute("ALTER TABLE log ADD PRIMARY KEY (n)");
        fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO log VALUES (8, 'x')");
        client.execute("DELETE FROM log WHERE n = 8");
        assertThat(number("SELECT SUM(n) FROM notes")).isEqualTo(29);
        assertThat(placement("LOG")).isEqualTo("ROW null");
    }

    @Test
    void aDuplicateKeepsTheTableFromAKey() {
        createLog();
        client.execute("INSERT INTO log VALUES (1, 'a'), (1, 'b')");
        fails(ErrorCode.UNIQUE_VIOLATION, "ALTER TABLE log ADD PRIMARY KEY (n)");
        client.execute("INSERT INTO log VALUES (1, 'c')");
        assertThat(number("SELECT COUNT(*) FROM log")).isEqualTo(3);
    }

    @Test
    void transactionsOfSeveralStatementsInsert() {
        createLog();
        for (String level : List.of("SERIALIZABLE", "SNAPSHOT", "READ COMMITTED")) {
            try (Session session = client.begin()) {
                session.execute("SET TRANSACTION ISOLATION LEVEL " + level);
                for (int i = 0; i < 12; i++) {
                    session.execute("INSERT INTO log VALUES (?, ?)", i, level.substring(0, 4));
                }
                session.execute(
                        "INSERT INTO log SELECT n + 100, note FROM log WHERE note = '" + level.substring(0, 4) + "'");
                session.execute("SAVEPOINT s");
                session.execute("INSERT INTO log VALUES (1000, 'no')");
                session.execute("ROLLBACK TO SAVEPOINT s");
                assertThat(session.execute("SELECT COUNT(*) FROM log WHERE note = ?", level.substring(0, 4))
                                .table()
                                .first()
                                .getLong(0))
                        .isEqualTo(24);
                session.commit();
            }
        }
        assertThat(number("SELECT COUNT(*) FROM log")).isEqualTo(72);
        assertThat(fewestOnOnePartition("LOG")).isBetween(8L, 24L);
    }

    @Test
    void aTransactionMakesSuchATableWithRows() {
        createLog();
        try (Session session = client.begin()) {
            session.execute("INSERT INTO log VALUES (7, 'first')");
            session.execute("CREATE TABLE made (a INTEGER) PARTITIONED");
            session.execute("INSERT INTO made VALUES "
                    + IntStream.range(0, 60).mapToObj(i -> "(" + i + ")").collect(Collectors.joining(", ")));
            session.commit();
        }
        assertThat(fewestOnOnePartition("MADE")).isBetween(8L, 20L);
        restart();
        assertThat(number("SELECT COUNT(*) FROM made")).isEqualTo(60);
        assertThat(rows("SELECT * FROM log")).containsExactly("7 first");
        try (Session session = client.begin()) { // the key comes before any row, and places them
            session.execute("CREATE TABLE keyed (a INTEGER) PARTITIONED");
            session.execute("ALTER TABLE keyed ADD PRIMARY KEY (a)");
            session.execute("INSERT INTO keyed VALUES (1), (2)");
            session.commit();
        }
        assertThat(placement("KEYED")).isEqualTo("COLUMN A");
        assertThat(number("SELECT COUNT(*) FROM keyed WHERE a = 2")).isEqualTo(1);
    }

    @Test
    void proceduresInsert() {
        createLog();
        client.execute("CREATE PROCEDURE note AS INSERT INTO log VALUES (?, ?)");
        client.execute("CREATE TABLE owner (id INTEGER PRIMARY KEY, c INTEGER) PARTITIONED");
        client.execute("INSERT INTO owner VALUES (1, 0), (2, 0), (3, 0)");
        client.execute("CREATE PROCEDURE count_one PARTITION ON TABLE owner COLUMN id AS BEGIN"
                + " UPDATE owner SET c = c + 1 WHERE id = ?; INSERT INTO log VALUES (?, 'p'); END");
        for (int i = 0; i < 60; i++) {
            client.call("note", i, "q");
            client.call("count_one", 1 + i % 3, i);
        }
        assertThat(number("SELECT COUNT(*) FROM log")).isEqualTo(120);
        assertThat(number("SELECT SUM(c) FROM owner")).isEqualTo(60);
        assertThat(fewestOnOnePartition("LOG")).isBetween(20L, 40L);
        fails(
                ErrorCode.PROCEDURE_REFUSED,
                "CREATE PROCEDURE bad PARTITION ON TABLE log COLUMN n AS INSERT INTO log VALUES (?, 'x')");
        restart();
        assertThat(number("SELECT COUNT(*) FROM log")).isEqualTo(120);
    }

    @Test
    void tablesAreMadeOfQueries() {
        createLog();
        client.execute("INSERT INTO log VALUES " + values(90));
        client.execute("CREATE TABLE copy PARTITIONED AS SELECT * FROM log");
        assertThat(placement("COPY")).isEqualTo("ROW null");
        assertThat(fewestOnOnePartition("COPY")).isBetween(8L, 30L); // by drawn ids; fewer come once in a million
        client.execute("CREATE TABLE keyed (id, PRIMARY KEY (id)) PARTITIONED AS SELECT n FROM log");
        assertThat(placement("KEYED")).isEqualTo("COLUMN ID");
        client.execute("CREATE TABLE all_of_them REPLICATED AS SELECT * FROM log");
        assertThat(placement("ALL_OF_THEM")).isEqualTo("REPLICATED null");
        assertThat(number("SELECT COUNT(*) FROM copy")).isEqualTo(90);
    }

    @Test
    void aDatabaseWithSuchTablesComesBack() throws IOException {
        createLog();
        client.execute("INSERT INTO log VALUES " + values(200));
        client.execute("CREATE TABLE code (c INTEGER) REPLICATED");
        client.execute("INSERT INTO code VALUES (1)");
        client.execute("ALTER TABLE log ADD PRIMARY KEY (n) NOT VALID"); // which leaves the rows where they are
        client.execute("ALTER TABLE log VALIDATE CONSTRAINT log_primary_key");
        client.execute("CREATE TABLE pair (a INTEGER, b INTEGER) PARTITIONED");
        client.execute("INSERT INTO pair VALUES (1, 1), (1, 1), (2, NULL)");
        Path files = folder.resolve("dump");
        new DatabaseDump(client, files, 2, true, QUIET).run(List.of());
        try (FulmarNode other = SmallNode.start(4);
                FulmarClient there = SmallNode.connect(other)) {
            List<String> schema = List.of(Files.readString(files.resolve(DatabaseDump.SCHEMA_FILE))
                    .strip()
                    .split(";\\s*"));
            new DatabaseLoad(there, files, QUIET).run(schema, false, 0, 100);
            assertThat(ResultRows.of(
                            there,
                            "SELECT TABLE_NAME, PLACEMENT FROM INFORMATION_SCHEMA.TABLES ORDER BY TABLE_NAME",
                            " "))
                    .containsExactly("CODE REPLICATED", "LOG ROW", "PAIR ROW");
            assertThat(ResultRows.of(there, "SELECT COUNT(*), COUNT(DISTINCT n), SUM(n) FROM log", " "))
                    .containsExactly("200 200 " + LongStream.range(0, 200).sum());
            assertThat(ResultRows.of(there, "SELECT * FROM pair ORDER BY a", " "))
                    .containsExactly("1 1", "1 1", "2 null");
        }
    }
}
