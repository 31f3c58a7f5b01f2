package dev.fulmar.postgres.session;

import static dev.fulmar.postgres.session.TalkingClient.bind;
import static dev.fulmar.postgres.session.TalkingClient.describe;
import static dev.fulmar.postgres.session.TalkingClient.execute;
import static dev.fulmar.postgres.session.TalkingClient.parse;
import static dev.fulmar.postgres.session.TalkingClient.sync;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.advisory.AdvisoryKey;
import dev.fulmar.coordinator.advisory.LockStatements;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.wire.postgres.message.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The requests of a session to the database and to its locks. */
class SessionLocksTest {
    private static final String FENCE = LockStatements.fence("1_1", List.of(new AdvisoryKey(false, 7)));
    private static final String BEGIN = "BEGIN ISOLATION LEVEL serializable";

    private final FakeDatabase database = new FakeDatabase();
    private final TalkingClient client = new TalkingClient(database);

    /** The database finds that the session has these locks. */
    private void has(String fence, long... keys) {
        ResultBlockWriter writer = new ResultBlockWriter(1 << 10, 1 << 20);
        writer.begin(new ResultLayout(List.of(
                new ResultColumn("KEY_NUMBER", ColumnType.of(TypeKind.BIGINT), false),
                new ResultColumn("KEY_SPACE", ColumnType.of(TypeKind.SMALLINT), false))));
        for (long key : keys) {
            writer.startRow();
            writer.setLong(0, key);
            writer.setLong(1, 0);
            writer.endRow();
        }
        writer.end();
        database.answers.put(fence, new Committed(Kind.TABLE, 0, writer.toByteArray()));
    }

    private List<String> locks(String sql, @Nullable Long... numbers) {
        database.finds(sql, (@Nullable Object[]) numbers);
        return client.asks(sql);
    }

    @Test
    void aClientSeesWhetherItWasDone() {
        database.locks.taken.add(8L);

        assertThat(locks("SELECT pg_advisory_lock(7), pg_try_advisory_lock(8) AS got", 7L, 8L))
                .containsExactly("columns pg_advisory_lock:1043,c2:16", "row ,f", "SELECT 1", "ready I");
        assertThat(locks("SELECT pg_try_advisory_lock(7), pg_try_advisory_lock(NULL)", 7L, null))
                .contains("row t,null");
    }

    @Test
    void theDatabaseHearsOfALockOnce() {
        locks("SELECT pg_advisory_lock(7)", 7L);
        locks("SELECT pg_try_advisory_lock(7)", 7L);
        locks("SELECT pg_advisory_lock_shared(7)", 7L);
        assertThat(database.locks.asked).containsExactly("take 7");
        locks("SELECT pg_advisory_unlock(7)", 7L);
        assertThat(database.locks.asked).containsExactly("take 7");
        locks("SELECT pg_advisory_unlock(7)", 7L);
        assertThat(database.locks.asked).containsExactly("take 7", "weaken 7");
        locks("SELECT pg_advisory_lock(7)", 7L);
        assertThat(locks("SELECT pg_advisory_unlock_all()", 0L)).contains("row ");
        assertThat(database.locks.asked).containsExactly("take 7", "weaken 7", "strengthen 7", "give back 7");
        assertThat(locks("SELECT pg_advisory_unlock(7)", 7L)).contains("WARNING 01000", "row f");
    }

    @Test
    void locksOfATransactionEndWithIt() {
        database.finds("SELECT pg_advisory_xact_lock(7)", 7L);
        client.asks("SELECT pg_advisory_xact_lock(7)");
        assertThat(database.locks.asked).containsExactly("take 7", "give back 7");
        database.locks.asked.clear();

        client.asks("BEGIN");
        client.asks("SELECT pg_advisory_xact_lock(7)");
        locks("SELECT pg_advisory_lock(1, 2)", 5L);
        assertThat(locks("SELECT pg_advisory_unlock(7)", 7L)).contains("row f");
        assertThat(database.locks.asked).containsExactly("take 7", "take pair 5");
        client.asks("ROLLBACK");
        assertThat(database.locks.asked).containsExactly("take 7", "take pair 5", "give back 7");
    }

    @Test
    void aTransactionThatChangesSomethingNamesTheLocks() {
        has(FENCE, 7);
        locks("SELECT pg_advisory_lock(7)", 7L);

        assertThat(client.requests("SELECT a FROM t")).containsExactly("SELECT a FROM t");
        assertThat(client.requests("DELETE FROM t")).containsExactly(BEGIN, "DELETE FROM t", FENCE, "COMMIT");
        assertThat(client.requests("BEGIN", "DELETE FROM t", "COMMIT"))
                .containsExactly(BEGIN, "DELETE FROM t", FENCE, "COMMIT");
        assertThat(client.requests("BEGIN", "SELECT a FROM t", "COMMIT"))
                .containsExactly(BEGIN, "SELECT a FROM t", "COMMIT");
        assertThat(client.requests("BEGIN", "DELETE FROM t", "ROLLBACK"))
                .containsExactly(BEGIN, "DELETE FROM t", "ROLLBACK");
        assertThat(client.requests("CREATE TABLE u (a INTEGER)"))
                .containsExactly(
                        BEGIN,
                        "CREATE TABLE u (a INTEGER)",
                        LockStatements.changes("1_1", List.of(new AdvisoryKey(false, 7)), 1),
                        "COMMIT");
        locks("SELECT pg_advisory_unlock(7)", 7L);
        assertThat(client.requests("DELETE FROM t")).containsExactly("DELETE FROM t");
    }

    @Test
    void aTransactionWithoutItsLockIsNotCommitted() {
        has(FENCE, 8);
        locks("SELECT pg_advisory_lock(7)", 7L);

        client.asks("BEGIN");
        client.asks("DELETE FROM t");
        assertThat(client.asks("COMMIT")).containsExactly("ERROR 40001", "ready I");
        assertThat(database.asked.getLast()).endsWith("ROLLBACK");
        assertThat(database.asked).noneMatch(sql -> sql.endsWith("COMMIT"));

        database.answers.put(
                "COMMIT",
                new Failed(
                        ErrorCode.FOREIGN_KEY_VIOLATION, "a row of " + LockStatements.TABLE_OF_CHANGES + " has none"));
        client.asks("BEGIN");
        client.asks("CREATE TABLE u (a INTEGER)");
        assertThat(client.asks("COMMIT")).containsExactly("ERROR 40001", "ready I");
    }

    @Test
    void aSessionThatWaitsIsBusyAndCanBeCancelled() {
        database.locks.taken.add(7L);
        database.locks.taken.add(8L);
        assertThat(locks("SELECT pg_advisory_lock(7)", 7L)).isEmpty();
        assertThat(client.session().isExecuting()).isTrue();
        database.locks.grant();
        assertThat(client.answers()).contains("row ", "ready I");

        assertThat(locks("SELECT pg_advisory_lock(8)", 8L)).isEmpty();
        client.session().cancel();
        assertThat(client.answers()).containsExactly("ERROR 57014", "ready I");
    }

    @Test
    void preparedStatementsAreDescribedAsTheClientSeesThem() {
        database.finds("SELECT pg_try_advisory_lock(7)", 7L);

        assertThat(client.says(
                        parse("s", "SELECT pg_try_advisory_lock(7)"),
                        describe(Target.STATEMENT, "s"),
                        bind("", "s"),
                        execute("", 0),
                        sync()))
                .contains("columns pg_try_advisory_lock:16", "row t", "SELECT 1", "ready I");
    }

    @Test
    void locksEndWithTheSession() {
        locks("SELECT pg_advisory_lock(7)", 7L);
        assertThat(database.locks.open).containsExactly("1_1");

        client.session().leave();
        client.session().leave();

        assertThat(database.locks.open).isEmpty();
    }

    /** Cursors and COPY TO change nothing, and a transaction that only reads cannot name a lock. */
    @Test
    void readersNameNoLocks() {
        locks("SELECT pg_advisory_lock(7)", 7L);

        assertThat(client.requests(
                        "BEGIN", "DECLARE c CURSOR FOR SELECT a FROM t", "FETCH 1 FROM c", "CLOSE c", "COMMIT"))
                .endsWith("COMMIT")
                .noneMatch(sql -> sql.contains("FULMAR_LOCKS"));
        assertThat(client.requests("BEGIN READ ONLY", "SELECT a FROM t", "COMMIT"))
                .endsWith("COMMIT");
        assertThat(client.requests("EXPLAIN DELETE FROM t")).noneMatch(sql -> sql.startsWith("BEGIN"));
    }

    /** As many rows as locks are not enough: the session may have one whose loss it has not heard of, and another. */
    @Test
    void eachOfSeveralLocksMustBeThere() {
        String fence = LockStatements.fence("1_1", List.of(new AdvisoryKey(false, 7), new AdvisoryKey(false, 8)));
        locks("SELECT pg_advisory_lock(7)", 7L);
        locks("SELECT pg_advisory_lock(8)", 8L);

        has(fence, 8, 9);
        assertThat(client.asks("DELETE FROM t")).contains("ERROR 40001");
        has(fence, 9, 8, 7);
        assertThat(client.asks("DELETE FROM t")).noneMatch(answer -> answer.startsWith("ERROR"));
    }

    /** The lock may be given while the client leaves. */
    @Test
    void aLockThatIsAskedForEndsWithTheSession() {
        database.locks.taken.add(7L);
        locks("SELECT pg_advisory_lock(8)", 8L);
        locks("SELECT pg_advisory_lock(7)", 7L);
        database.locks.asked.clear();

        client.session().leave();
        database.locks.grant();

        assertThat(database.locks.asked).containsExactly("give back 7", "give back 8");
    }

    /** A wrong setting gives the locks of its statement back first. */
    @Test
    void aSettingThatIsRefusedLeavesNoLock() {
        String sql = "SELECT pg_advisory_xact_lock(7), set_config('lock_timeout', 'soon', false)";
        database.finds(sql, 7L, "soon");

        assertThat(client.asks(sql)).containsExactly("ERROR 0A000", "ready I");

        assertThat(database.locks.asked).containsExactly("take 7", "give back 7");
    }

    /** A transaction that changes tables has no queries of rows, and takes locks all the same. */
    @Test
    void numbersThatReadNothingAreFoundOutsideOfTheTransaction() {
        database.finds("SELECT pg_advisory_xact_lock(7)", 7L);
        database.asked.clear();
        client.asks("BEGIN");
        client.asks("SELECT pg_advisory_xact_lock(7)");
        assertThat(database.asked.getLast()).startsWith("0: SELECT");

        database.finds("SELECT pg_advisory_xact_lock((SELECT MAX(a) FROM t))", 8L);
        client.asks("SELECT pg_advisory_xact_lock((SELECT MAX(a) FROM t))");
        assertThat(database.asked.getLast()).startsWith("1: SELECT");
    }

    @Test
    void aPoolGivesLocksBack() {
        locks("SELECT pg_advisory_lock(7)", 7L);
        database.locks.asked.clear();

        assertThat(client.asks("DISCARD ALL")).containsExactly("DISCARD ALL", "ready I");

        assertThat(database.locks.asked).containsExactly("give back 7");
    }
}
