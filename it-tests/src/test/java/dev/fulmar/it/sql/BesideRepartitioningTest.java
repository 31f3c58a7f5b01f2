package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.RunningCall;
import dev.fulmar.client.Session;
import dev.fulmar.coordinator.durability.backup.BackupFigures;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.backup.Restore;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work beside ALTER TABLE ... PARTITION ON, pair by pair: which waits for which is in docs/SQL.md. */
@Timeout(240)
class BesideRepartitioningTest extends DurableNodeFixture {
    private static final int PARTITIONS = 3;

    /** Enough for more than the time-outs here. */
    private static final int ROWS = 32_000;

    private static final String PLACE = "ALTER TABLE item PARTITION ON COLUMN k";

    /** Less than the copy takes. */
    private static final Duration SHORT = Duration.ofMillis(30);

    /** Fewer than a client may have in the planner's queue, where some of them are until the copy is over. */
    private static final int MOST_WAITING = 50;

    BesideRepartitioningTest() {
        super(PARTITIONS);
    }

    /** Rows 0 to {@link #ROWS} - 1, of which seven hundred have k alike. */
    private void fill(String table, int rows) {
        List<CompletableFuture<CallResult>> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            all.add(client.executeAsync("INSERT INTO " + table + " (id, k) VALUES (?, ?)", i, i % 47));
        }
        all.forEach(CompletableFuture::join);
        for (int there = 1_000; there < rows; there *= 2) {
            client.execute("INSERT INTO " + table + " (id, k) SELECT id + " + there + ", MOD(id + " + there
                    + ", 47) FROM " + table);
        }
    }

    private void fill() {
        run("CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, k INTEGER NOT NULL) PARTITION ON COLUMN id");
        fill("item", ROWS);
    }

    private void fillWithoutOrder() {
        run(
                "CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY USING HASH, k INTEGER NOT NULL) PARTITION ON COLUMN id");
        fill("item", ROWS);
    }

    private boolean isUnderWay() {
        return !node.database().catalog().pending().isEmpty();
    }

    /** Starts the statement, and waits until rows are copied. */
    private RunningCall place(FulmarClient by, String statement) {
        RunningCall placing = by.statement(statement).start();
        awaitBeginOf(placing);
        return placing;
    }

    private void awaitBeginOf(RunningCall placing) {
        while (!isUnderWay()) {
            assertThat(placing.outcome()).as("it has not begun").isNotDone();
            Thread.onSpinWait();
        }
    }

    private void awaitNoSuccessor() throws InterruptedException {
        while (isUnderWay()) {
            TimeUnit.MILLISECONDS.sleep(10); // a statement of the node drops it
        }
    }

    private String place() {
        return ResultRows.of(
                        client,
                        "SELECT PARTITIONING_COLUMN FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME = 'ITEM'",
                        "")
                .getFirst();
    }

    private void assertWhole(FulmarClient by) {
        assertThat(ResultRows.of(
                        by, "SELECT COUNT(*), SUM(id), COUNT(DISTINCT id), SUM(k - MOD(id, 47)) FROM item", " "))
                .containsExactly(ROWS + " " + (long) ROWS * (ROWS - 1) / 2 + " " + ROWS + " 0");
    }

    /** The table can be written, and has its rows. */
    private void assertWhole(FulmarClient by, FulmarNode of) {
        assertWhole(by);
        by.execute("INSERT INTO item (id, k) VALUES (-1, -1)");
        by.execute("DELETE FROM item WHERE id = -1 AND k = -1");
        assertThat(of.database().figures().tableDefects().join()).isEmpty();
    }

    private static ErrorCode codeOf(RunningCall call) {
        FulmarException failure = catchThrowableOfType(FulmarException.class, call::await);
        assertThat(failure).as("the statement fails").isNotNull();
        return failure.code();
    }

    /**
     * The statement is refused while rows are copied, and the client sends it again until its time is over. A copy that
     * ends before that, because this thread got no processor, leaves nothing to test.
     */
    private void assertRefused(String statement) {
        FulmarException failure = catchThrowableOfType(
                FulmarException.class,
                () -> client.statement(statement).withTimeout(SHORT).execute());
        if (failure == null) {
            assertThat(isUnderWay())
                    .as("%s is done while rows are copied", statement)
                    .isFalse();
            abort("the copy was over before " + statement);
        }
        assertThat(failure.code())
                .as(failure.getMessage())
                .isIn(
                        ErrorCode.CATALOG_CHANGED,
                        ErrorCode.SERVER_BUSY,
                        ErrorCode.TIMEOUT,
                        ErrorCode.PROCEDURE_TIME_BUDGET);
    }

    @Test
    void aCancelledStatementLeavesTheTableAsItWas() throws Exception {
        fill();
        RunningCall placing = place(client, PLACE);
        placing.cancel().get(10, TimeUnit.SECONDS);
        assertThat(codeOf(placing)).isEqualTo(ErrorCode.CANCELLED);
        awaitNoSuccessor();
        assertThat(place()).isEqualTo("ID");
        assertWhole(client, node);
    }

    @Test
    void aCancelledStatementEndsThePartsThatItReads() throws Exception {
        fillWithoutOrder();
        RunningCall placing = place(client, PLACE);
        placing.cancel().get(10, TimeUnit.SECONDS);
        assertThat(codeOf(placing)).isEqualTo(ErrorCode.CANCELLED);
        awaitNoSuccessor();
        assertThat(place()).isEqualTo("ID");
        assertWhole(client, node);
    }

    @Test
    void itGoesOnWhenItsClientIsGone() throws Exception {
        fill();
        FulmarClient departing = SmallNode.connect(node);
        place(departing, PLACE);
        departing.close();
        awaitNoSuccessor();
        assertThat(place()).isEqualTo("K");
        assertWhole(client, node);
    }

    @Test
    void itFailsWhenItsTimeIsOver() throws Exception {
        fill();
        RunningCall placing = client.statement(PLACE).withTimeout(SHORT).start();
        assertThat(codeOf(placing)).isIn(ErrorCode.TIMEOUT, ErrorCode.PROCEDURE_TIME_BUDGET);
        awaitNoSuccessor();
        assertThat(place()).isEqualTo("ID");
        assertWhole(client, node);
    }

    /** Its COMMIT is refused for as long as rows are copied, and the client sends it again. */
    @Test
    void aTransactionThatHasWrittenTheTableCommitsAfterwards() {
        fill();
        try (Session session = client.begin()) {
            session.execute("UPDATE item SET id = -5 WHERE id = 5");
            RunningCall placing = place(client, PLACE);
            session.commit();
            placing.await();
        }
        assertThat(place()).isEqualTo("K");
        assertThat(number("SELECT COUNT(*) FROM item WHERE id = -5")).isEqualTo(1);
        run("UPDATE item SET id = 5 WHERE id = -5");
        assertWhole(client, node);
    }

    @Test
    void aCascadeToItsRowsWaitsWithAllThatItsStatementDoes() {
        run(
                "CREATE TABLE team (id INTEGER NOT NULL PRIMARY KEY) PARTITION ON COLUMN id",
                "CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, k INTEGER NOT NULL REFERENCES team ON DELETE CASCADE)"
                        + " PARTITION ON COLUMN id",
                "CREATE TABLE goal (id INTEGER NOT NULL PRIMARY KEY, item INTEGER REFERENCES item ON DELETE SET NULL)"
                        + " PARTITION ON COLUMN id");
        for (int i = 0; i < 47; i++) {
            client.execute("INSERT INTO team VALUES (?)", i);
        }
        fill("item", ROWS);
        run("INSERT INTO goal VALUES (1, 3), (2, 4)");
        RunningCall placing = place(client, PLACE);
        assertRefused("DELETE FROM team WHERE id = 3");
        run("INSERT INTO goal VALUES (3, 3)");
        placing.await();
        assertThat(number("SELECT COUNT(*) FROM team")).isEqualTo(47);
        assertWhole(client);
        fails(ErrorCode.FOREIGN_KEY_VIOLATION, "INSERT INTO goal VALUES (4, -1)", "ITEM");
        run("DELETE FROM team WHERE id = 3");
        assertThat(number("SELECT COUNT(*) FROM item WHERE k = 3")).isZero();
        assertThat(number("SELECT COUNT(*) FROM goal WHERE item IS NULL")).isEqualTo(2);
    }

    @Test
    void rowsExpireAfterwards() throws Exception {
        run("CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, k INTEGER NOT NULL,"
                + " made TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)"
                + " USING TTL 100 SECONDS ON COLUMN made BATCH_SIZE 10000 PARTITION ON COLUMN id");
        fill("item", ROWS);
        run("UPDATE item SET made = CURRENT_TIMESTAMP - INTERVAL '101' SECOND");
        RunningCall placing = place(client, PLACE);
        long before = number("SELECT COUNT(*) FROM item");
        assumeThat(isUnderWay()).as("rows are counted while they are copied").isTrue();
        while (isUnderWay()) {
            long count = number("SELECT COUNT(*) FROM item");
            assertThat(!isUnderWay() || count == before)
                    .as("%d of %d rows", count, before)
                    .isTrue();
        }
        placing.await();
        assertThat(place()).isEqualTo("K");
        while (number("SELECT COUNT(*) FROM item") > 0) {
            TimeUnit.MILLISECONDS.sleep(50); // a statement of the node deletes them
        }
        run("INSERT INTO item (id, k) VALUES (1, 1)");
    }

    @Test
    void aGlobalUniqueIndexHoldsDuringAndAfter() {
        run(
                "CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, k INTEGER NOT NULL, mail INTEGER CONSTRAINT once UNIQUE)"
                        + " PARTITION ON COLUMN id");
        fill("item", ROWS);
        run("UPDATE item SET mail = id WHERE id < 100");
        RunningCall placing = place(client, PLACE);
        assertRefused("INSERT INTO item VALUES (-1, 1, -5)");
        placing.await();
        fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO item VALUES (-1, 1, 5)", "ONCE");
        fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO item VALUES (7, 1, 500)", "ITEM_PRIMARY_KEY");
        assertWhole(client, node);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " (CACHE 7)"})
    void numbersDrawnMeanwhileAreNotDrawnAgain(String options) {
        run("CREATE TABLE item (id BIGINT GENERATED BY DEFAULT AS IDENTITY" + options
                + " PRIMARY KEY, k INTEGER NOT NULL) REPLICATED");
        for (int i = 0; i < 200; i++) {
            client.execute("INSERT INTO item (k) VALUES (?)", i);
        }
        long before = number("SELECT MAX(id) FROM item");
        for (int there = 200; there < ROWS / 4; there *= 2) {
            client.execute("INSERT INTO item (id, k) SELECT id - " + 1_000_000L * there + ", k FROM item");
        }
        RunningCall placing = place(client, PLACE);
        List<RunningCall> meanwhile = new ArrayList<>();
        while (isUnderWay()) {
            if (meanwhile.size() < MOST_WAITING) {
                meanwhile.add(client.statement("INSERT INTO item (k) VALUES (1)")
                        .withTimeout(SHORT)
                        .start()); // its number is drawn all the same
            }
            number("SELECT COUNT(*) FROM item WHERE id = 5");
        }
        placing.await();
        long late = 0;
        long unanswered = 0;
        for (RunningCall insertion : meanwhile) {
            FulmarException failure = catchThrowableOfType(FulmarException.class, insertion::await);
            late += failure == null ? 1 : 0;
            unanswered += failure != null && failure.code() == ErrorCode.TIMEOUT ? 1 : 0;
        }
        long done = -1;
        for (int life = 0; life < 2; life++) {
            for (int i = 0; i < 50; i++) {
                client.execute("INSERT INTO item (k) VALUES (?)", i);
            }
            long rows = number("SELECT COUNT(*) FROM item WHERE id > ?", before) - 50L * (life + 1);
            done = done < 0 ? rows : done;
            assertThat(rows).isEqualTo(done).isBetween(late, late + unanswered);
            assertThat(number("SELECT COUNT(DISTINCT id) - COUNT(*) FROM item")).isZero();
            restart();
        }
    }

    @Test
    void otherTablesChangeMeanwhile() {
        fill();
        run("CREATE TABLE other (id INTEGER NOT NULL PRIMARY KEY, k INTEGER NOT NULL) PARTITION ON COLUMN id");
        fill("other", 1_000);
        RunningCall placing = place(client, PLACE);
        run(
                "CREATE TABLE more (id INTEGER NOT NULL PRIMARY KEY)",
                "ALTER TABLE other ADD COLUMN late INTEGER DEFAULT 5",
                "CREATE INDEX by_k ON other (k)",
                "CREATE VIEW items AS SELECT id FROM item WHERE k = 3",
                "DROP TABLE more");
        placing.await();
        assertThat(place()).isEqualTo("K");
        assertThat(number("SELECT COUNT(*) FROM items")).isEqualTo(number("SELECT COUNT(*) FROM item WHERE k = 3"));
        assertWhole(client, node);
    }

    /** A change of the catalog ends the snapshot that is read, so the copy begins anew. */
    @Test
    void otherTablesChangeWhilePartsAreRead() {
        fillWithoutOrder();
        RunningCall placing = place(client, PLACE);
        run("CREATE TABLE other (id INTEGER NOT NULL PRIMARY KEY, k INTEGER NOT NULL) PARTITION ON COLUMN id");
        placing.await();
        assertThat(place()).isEqualTo("K");
        assertWhole(client, node);
    }

    @Test
    void changesOfTheTableAreRefusedMeanwhile() throws Exception {
        fill();
        run("CREATE TABLE other (id INTEGER NOT NULL PRIMARY KEY, item INTEGER) PARTITION ON COLUMN id");
        run("INSERT INTO other VALUES (1, 1)");
        for (String change : List.of(
                "ALTER TABLE item ADD COLUMN n INTEGER",
                "CREATE INDEX late ON item (k)",
                "DROP TABLE item",
                "ALTER TABLE item RENAME TO things",
                "ALTER TABLE item PARTITION ON COLUMN k",
                "ALTER TABLE item REPLICATED")) {
            RunningCall placing = place(client, PLACE);
            assertRefused(change);
            placing.cancel().get(10, TimeUnit.SECONDS);
            assertThat(codeOf(placing)).as(change).isEqualTo(ErrorCode.CANCELLED);
            awaitNoSuccessor();
        }
        assertThat(place()).isEqualTo("ID");
        assertWhole(client, node);
    }

    /** A view or a foreign key that comes meanwhile, and rests on the place of the rows, lets the statement fail. */
    @Test
    void whatRestsOnThePlaceOfRowsAndComesMeanwhileEndsIt() throws Exception {
        fill();
        RunningCall placing = place(client, PLACE);
        run("CREATE MATERIALIZED VIEW ids AS SELECT id, COUNT(*) AS n FROM item GROUP BY id");
        assertThat(codeOf(placing)).isEqualTo(ErrorCode.DEPENDENT_OBJECTS);
        awaitNoSuccessor();
        assertThat(place()).isEqualTo("ID");
        assertWhole(client, node);
        assertThat(number("SELECT COUNT(*) FROM ids")).isEqualTo(ROWS);
    }

    /** Rows cannot be placed while a key's rows are looked at, so it depends on the moment which of both counts. */
    @Test
    void aForeignKeyToTheTableThatComesMeanwhileHolds() {
        fill();
        run("CREATE TABLE other (id INTEGER NOT NULL PRIMARY KEY, item INTEGER) PARTITION ON COLUMN id");
        run("INSERT INTO other VALUES (1, 1)");
        RunningCall placing = place(client, PLACE);
        run("ALTER TABLE other ADD CONSTRAINT known FOREIGN KEY (item) REFERENCES item");
        FulmarException failure = catchThrowableOfType(FulmarException.class, placing::await);
        if (failure != null) {
            assertThat(failure.code()).as(failure.getMessage()).isEqualTo(ErrorCode.DEPENDENT_OBJECTS);
        }
        assertThat(place()).isEqualTo(failure == null ? "K" : "ID");
        fails(ErrorCode.FOREIGN_KEY_VIOLATION, "INSERT INTO other VALUES (2, -7)", "KNOWN");
        fails(ErrorCode.FOREIGN_KEY_VIOLATION, "DELETE FROM item WHERE id = 1", "KNOWN");
        run("INSERT INTO other VALUES (3, 7)");
        assertWhole(client, node);
    }

    @Test
    void checkpointsAreTakenMeanwhile() {
        fill();
        RunningCall placing = place(client, PLACE);
        var durability = Objects.requireNonNull(node.database().durability());
        var counters = Objects.requireNonNull(durability.checkpoints()).counters();
        for (int i = 0; i < 2; i++) {
            long before = counters.rounds();
            durability.requestCheckpoint();
            while (counters.rounds() == before) {
                Thread.onSpinWait();
            }
        }
        placing.await();
        restart();
        assertThat(place()).isEqualTo("K");
        assertWhole(client, node);
    }

    private void backUp() throws InterruptedException {
        client.call("@Backup", folder.resolve("backup").toString());
        BackupFigures figures = Objects.requireNonNull(
                Objects.requireNonNull(node.database().durability()).backup());
        while (!figures.isOver()) {
            TimeUnit.MILLISECONDS.sleep(5); // it copies files
        }
        assertThat(figures.failure()).isEmpty();
    }

    /** The table is placed as it was at the moment, and no successor stays. */
    private void assertRestored(String data, List<Path> logs, OptionalLong moment, String column) throws Exception {
        new Restore(
                        new Restore.Request(
                                folder.resolve("backup"),
                                folder.resolve(data),
                                PARTITIONS,
                                "",
                                logs,
                                moment,
                                Map.of("memory.limit", "128m")),
                        line -> {})
                .run();
        try (FulmarNode restored = SmallNode.durable(folder.resolve(data), PARTITIONS);
                FulmarClient by = SmallNode.connect(restored)) {
            while (!restored.database().catalog().pending().isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(10); // a statement of the node drops it
            }
            assertThat(ResultRows.of(
                            by,
                            "SELECT PARTITIONING_COLUMN FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME = 'ITEM'",
                            ""))
                    .containsExactly(column);
            assertWhole(by, restored);
        }
    }

    @Test
    void aBackupIsTakenMeanwhile() throws Exception {
        fill();
        RunningCall placing = place(client, PLACE);
        backUp();
        placing.await();
        assertWhole(client, node);
        stop();
        assertRestored("later", List.of(folder.resolve("data")), OptionalLong.empty(), "K");
        start();
    }

    @Test
    void anyMomentIsRestored() throws Exception {
        fill();
        backUp();
        long before = moment();
        RunningCall placing = place(client, PLACE);
        long during = moment();
        boolean isDuring = isUnderWay();
        placing.await();
        long after = moment();
        stop();
        List<Path> logs = List.of(folder.resolve("data"));
        assertRestored("before", logs, OptionalLong.of(before), "ID");
        if (isDuring) {
            assertRestored("during", logs, OptionalLong.of(during), "ID");
        }
        assertRestored("after", logs, OptionalLong.of(after), "K");
        start();
    }

    private long moment() {
        return client.execute("SELECT COUNT(*) FROM item").snapshotTimestamp();
    }

    /** A node that stops in the midst of it, in good order. */
    @Test
    void aNodeStopsMeanwhile() throws Exception {
        fill();
        place(client, PLACE);
        restart();
        awaitNoSuccessor();
        assertThat(place()).isIn("ID", "K");
        assertWhole(client, node);
        run(PLACE);
        assertThat(place()).isEqualTo("K");
        assertWhole(client, node);
    }
}
