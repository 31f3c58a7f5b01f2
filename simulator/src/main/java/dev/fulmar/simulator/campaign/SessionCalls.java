package dev.fulmar.simulator.campaign;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.verify.Operation;
import dev.fulmar.simulator.workload.Wish;
import dev.fulmar.wire.session.Isolation;
import dev.fulmar.wire.session.TransactionMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Wishes that a client carries out statement by statement: it computes what it writes from what it has read. Each
 * transaction is serializable, or READ COMMITTED with all queries FOR UPDATE, which the history must not tell apart, or
 * SNAPSHOT without that. One thread.
 */
public final class SessionCalls {
    private static final Set<ErrorCode> EXPECTED = EnumSet.of(
            ErrorCode.SERIALIZATION_FAILURE,
            ErrorCode.FAILED_TRANSACTION,
            ErrorCode.NO_ACTIVE_TRANSACTION,
            ErrorCode.LOCK_NOT_AVAILABLE,
            ErrorCode.TRANSACTION_RESTART,
            ErrorCode.CATALOG_CHANGED,
            ErrorCode.SERVER_BUSY,
            ErrorCode.NOT_CONNECTED,
            ErrorCode.OUTCOME_UNKNOWN,
            ErrorCode.TIMEOUT);

    private static final Set<ErrorCode> UNKNOWN =
            EnumSet.of(ErrorCode.OUTCOME_UNKNOWN, ErrorCode.TIMEOUT, ErrorCode.NODE_LOST);

    private final RandomSource random;
    private final Ledger ledger;
    private final Set<ErrorCode> harmless;

    /** @param harmless further codes that a transaction may end with, having had no effect */
    public SessionCalls(RandomSource random, Ledger ledger, Set<ErrorCode> harmless) {
        this.random = random;
        this.ledger = ledger;
        this.harmless = Set.copyOf(harmless);
    }

    /** Whether a wish of this kind can be carried out so. */
    public static boolean takes(Wish wish) {
        return wish instanceof Wish.Transact || wish instanceof Wish.Transfer;
    }

    /** Carries out the wish, once. */
    public WishCalls.Outcome run(FulmarClient client, Wish wish, HistoryRecorder.Pending record) {
        boolean locks = random.nextInt(2) == 0;
        boolean isWeak = random.nextInt(2) == 0;
        Isolation weak = locks ? Isolation.READ_COMMITTED : Isolation.SNAPSHOT;
        TransactionMode mode = isWeak ? TransactionMode.USUAL.isolation(weak) : TransactionMode.USUAL;
        if (isWeak && !locks) {
            record.atSnapshot();
        }
        List<Operation> operations = new ArrayList<>();
        boolean commits = false;
        try (Session session = client.begin(mode)) {
            if (!execute(session, wish, locks ? " FOR UPDATE" : "", operations)) {
                session.rollback();
                record.failed();
                return WishCalls.Outcome.FAILED;
            }
            commits = true;
            session.commit();
        } catch (FulmarException failure) {
            return failed(wish, record, failure, commits);
        }
        record.ok(operations, OptionalLong.empty());
        ledger.committed(wish);
        return WishCalls.Outcome.COMMITTED;
    }

    /** A transaction that was not to be committed yet has had no effect, whatever the failure is. */
    private WishCalls.Outcome failed(
            Wish wish, HistoryRecorder.Pending record, FulmarException failure, boolean commits) {
        ErrorCode code = failure.code();
        if (!EXPECTED.contains(code) && !harmless.contains(code) && !UNKNOWN.contains(code)) {
            ledger.violation("an unexpected failure of a session: " + code + " " + failure.getMessage());
        }
        if (commits && UNKNOWN.contains(code)) {
            record.unknown();
            ledger.unknown(wish);
            return WishCalls.Outcome.UNKNOWN;
        }
        record.failed();
        return WishCalls.Outcome.FAILED;
    }

    /** Sends the statements; returns whether the transaction is to be committed. */
    private boolean execute(Session session, Wish wish, String clause, List<Operation> operations) {
        return switch (wish) {
            case Wish.Transact transact -> {
                readAndAppend(session, transact, clause, operations);
                yield !transact.rollBack();
            }
            case Wish.Transfer transfer -> moves(session, transfer, clause);
            default -> throw new IllegalArgumentException("not one of statements: " + wish);
        };
    }

    private void readAndAppend(Session session, Wish.Transact wish, String clause, List<Operation> operations) {
        for (long key : wish.reads()) {
            ResultTable rows = session.execute("SELECT v FROM entry WHERE k = ? ORDER BY n" + clause, key)
                    .table();
            List<Long> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getLong(0));
            }
            operations.add(new Operation.ReadList(key, values));
        }
        for (int i = 0; i < wish.appends().length; i++) {
            long key = wish.appends()[i];
            long value = wish.values()[i];
            long length = first(session, "SELECT COUNT(*) FROM entry WHERE k = ?" + clause, key);
            if (random.nextInt(4) == 0) {
                session.savepoint("before");
                session.execute("DELETE FROM entry WHERE k = ?", key);
                session.rollbackTo("before");
            }
            session.execute("INSERT INTO entry (k, n, v) VALUES (?, ?, ?)", key, length, value);
            operations.add(new Operation.Append(key, value));
        }
    }

    /** One balance is computed by the client, the other one by the database. */
    private static boolean moves(Session session, Wish.Transfer wish, String clause) {
        long balance = first(session, "SELECT balance FROM account WHERE id = ?" + clause, wish.from());
        if (balance < wish.amount()) {
            return false;
        }
        session.execute("UPDATE account SET balance = ? WHERE id = ?", balance - wish.amount(), wish.from());
        if (wish.anew()) {
            long known = first(session, "SELECT balance FROM account WHERE id = ?" + clause, wish.to());
            session.execute("DELETE FROM account WHERE id = ?", wish.to());
            session.execute("INSERT INTO account (id, balance) VALUES (?, ?)", wish.to(), known + wish.amount());
        } else {
            session.execute("UPDATE account SET balance = balance + ? WHERE id = ?", wish.amount(), wish.to());
        }
        return true;
    }

    private static long first(Session session, String sql, Object... arguments) {
        return session.execute(sql, arguments).table().first().getLong(0);
    }
}
