package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.advisory.AdvisoryKey;
import dev.fulmar.coordinator.advisory.AdvisoryLocks;
import dev.fulmar.coordinator.advisory.LockAnswer;
import dev.fulmar.coordinator.advisory.LockStatements;
import dev.fulmar.coordinator.advisory.LockWish;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.dialect.CopyCommands;
import dev.fulmar.postgres.dialect.LockCall;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.postgres.setting.SessionSettings;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The advisory locks of a session. The database has one row for each of them; how often the session has taken it is
 * known here. A transaction that changes something names them before its COMMIT, which fails if the database has given
 * one to another session. For the session's thread.
 */
final class SessionLocks {
    private static final int MOST_LOCKS = 500;

    /** The function by which a query changes a sequence. */
    private static final String SETVAL = "SETVAL";

    /** Statements that change nothing, though they are no queries. */
    private static final Set<String> OTHERS = Set.of("DECLARE", "FETCH", "MOVE", "CLOSE", "EXPLAIN");

    private final AdvisoryLocks locks;
    private final SessionWait wait;
    private final SessionSettings settings;
    private final ClientOutput output;
    private final Map<AdvisoryKey, HeldLock> held = new TreeMap<>();

    /** Empty before the first lock. */
    private String holder = "";

    /** The lock that the session may have been given, though it does not know yet; null for none. */
    private @Nullable AdvisoryKey asked;

    /** Whether the transaction has changed something, and whether tables. */
    private boolean hasChanged;

    private boolean changesTables;
    private long changes;

    SessionLocks(AdvisoryLocks locks, SessionWait wait, SessionSettings settings, ClientOutput output) {
        this.locks = locks;
        this.wait = wait;
        this.settings = settings;
        this.output = output;
    }

    /** The wait of the session, for a lock or something else. */
    SessionWait waits() {
        return wait;
    }

    void leave() {
        wait.leave();
        if (!holder.isEmpty()) {
            Set<AdvisoryKey> keys = new TreeSet<>(held.keySet());
            if (asked != null) {
                keys.add(asked);
            }
            locks.end(holder, keys);
            holder = "";
        }
    }

    /** Refuses a query that is to be read otherwise than by itself. */
    void checkNone(Translation query) {
        if (!query.calls().isEmpty()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED, "functions of the session stand in a SELECT of their own, not in a COPY");
        }
    }

    // Calls.

    /**
     * Does what a function says.
     *
     * @param told hears whether it was done
     */
    void execute(LockCall call, AdvisoryKey key, Consumer<Boolean> told, Consumer<FulmarException> refused) {
        switch (call.action()) {
            case LOCK, TRY -> take(call, key, told, refused);
            case UNLOCK -> unlock(call, key, told);
            case UNLOCK_ALL -> unlockAll(() -> told.accept(true));
        }
    }

    private void take(LockCall call, AdvisoryKey key, Consumer<Boolean> told, Consumer<FulmarException> refused) {
        HeldLock known = held.get(key);
        if (known != null && known.covers(call)) {
            known.taken(call);
            told.accept(true);
            return;
        }
        if (held.size() >= MOST_LOCKS) {
            refused.accept(new FulmarException(
                    ErrorCode.MEMORY_LIMIT, "a session has at most " + MOST_LOCKS + " advisory locks; unlock some"));
            return;
        }
        if (holder.isEmpty()) {
            holder = locks.begin();
        }
        boolean waits = call.action() == LockCall.Action.LOCK;
        long patienceNanos = waits ? patienceNanos() : 0;
        LockWish wish = new LockWish(holder, key, call.isShared(), known != null, patienceNanos);
        asked = key;
        long number = wait.begin();
        Runnable giveUp =
                locks.take(wish, answer -> wait.end(number, () -> answered(call, key, answer, told, refused)));
        wait.canBeGivenUp(number, giveUp);
    }

    private void answered(
            LockCall call,
            AdvisoryKey key,
            LockAnswer answer,
            Consumer<Boolean> told,
            Consumer<FulmarException> refused) {
        asked = null;
        switch (answer) {
            case LockAnswer.Granted _ -> {
                HeldLock known = held.computeIfAbsent(key, _ -> new HeldLock(false));
                known.exclusive(!call.isShared());
                known.taken(call);
                told.accept(true);
            }
            case LockAnswer.Busy _ -> told.accept(false);
            case LockAnswer.Refused(ErrorCode code, String message) -> {
                boolean isOfStatement = code == ErrorCode.LOCK_NOT_AVAILABLE && !isLimitedByLocks();
                refused.accept(
                        isOfStatement
                                ? new FulmarException(
                                        ErrorCode.CANCELLED, "canceling statement due to statement timeout")
                                : new FulmarException(code, message));
            }
        }
    }

    private long patienceNanos() {
        long ofLocks = settings.lockTimeoutNanos();
        long ofStatements = settings.statementTimeoutNanos();
        long least = Math.min(
                ofLocks == 0 ? LockWish.FOR_EVER : ofLocks, ofStatements == 0 ? LockWish.FOR_EVER : ofStatements);
        return Math.max(1, least);
    }

    private boolean isLimitedByLocks() {
        long ofLocks = settings.lockTimeoutNanos();
        return ofLocks > 0 && patienceNanos() == ofLocks;
    }

    private void unlock(LockCall call, AdvisoryKey key, Consumer<Boolean> told) {
        HeldLock known = held.get(key);
        if (known == null || !known.unlock(call.isShared())) {
            output.warn(
                    ErrorCode.LOCK_NOT_HELD,
                    "you don't own a lock of type " + (call.isShared() ? "ShareLock" : "ExclusiveLock"));
            told.accept(false);
            return;
        }
        settle(key, known, () -> told.accept(true));
    }

    /** Gives back what is not taken any more. */
    private void settle(AdvisoryKey key, HeldLock known, Runnable then) {
        if (!known.isTaken()) {
            held.remove(key);
            locks.giveBack(holder, key, wait.later(then));
        } else if (!known.isShared() && !known.isTakenExclusively()) {
            known.exclusive(false);
            locks.share(holder, key, wait.later(then));
        } else {
            then.run();
        }
    }

    private void unlockAll(Runnable then) {
        held.values().forEach(HeldLock::unlockAll);
        settleAll(List.copyOf(held.keySet()).iterator(), then);
    }

    private void settleAll(Iterator<AdvisoryKey> keys, Runnable then) {
        while (keys.hasNext()) {
            AdvisoryKey key = keys.next();
            HeldLock known = held.get(key);
            if (known != null && (!known.isTaken() || (!known.isShared() && !known.isTakenExclusively()))) {
                settle(key, known, () -> settleAll(keys, then));
                return;
            }
        }
        then.run();
    }

    // Transactions.

    void transactionBegins() {
        hasChanged = false;
        changesTables = false;
    }

    /** A statement of a transaction has been executed. */
    void executed(Translation statement) {
        hasChanged = hasChanged || changes(statement);
        changesTables |= SessionCommands.changesTables(statement)
                || statement.firstWord().equals("DISCARD"); // of temporary tables
    }

    /** Whether the transaction has changed tables, which others do not see so. */
    boolean changesTables() {
        return changesTables;
    }

    /** Whether a statement by itself is one of a transaction, before whose end the locks are named. */
    boolean needTransaction(Translation statement) {
        return !held.isEmpty() && changes(statement);
    }

    private static boolean changes(Translation statement) {
        String first = statement.firstWord();
        if (first.equals("COPY")) {
            return CopyCommands.mayChange(statement);
        }
        boolean isQuery = statement.isQuery() && !setsValue(statement.sql());
        return !isQuery && !OTHERS.contains(first);
    }

    /** Whether the letters of SETVAL are somewhere. */
    private static boolean setsValue(String sql) {
        int last = sql.length() - SETVAL.length();
        for (int i = 0; i <= last; i++) {
            if ((sql.charAt(i) == 's' || sql.charAt(i) == 'S')
                    && sql.regionMatches(true, i, SETVAL, 0, SETVAL.length())) {
                return true;
            }
        }
        return false;
    }

    /** Whether the statement gives back the locks of the session, as a pool's at the end of its use does. */
    boolean areDiscardedBy(Translation statement) {
        List<String> words = statement.words();
        return words.size() > 1
                && words.subList(0, 2).equals(List.of("DISCARD", "ALL"))
                && held.values().stream().anyMatch(HeldLock::isOfSession);
    }

    void discard(Runnable then) {
        unlockAll(then);
    }

    /**
     * Names the locks of a transaction that commits.
     *
     * @param then hears why it cannot; null if it can
     */
    void name(BiConsumer<String, Consumer<TransactionResponse>> asking, Consumer<@Nullable FulmarException> then) {
        if (!hasChanged || held.isEmpty()) {
            then.accept(null);
            return;
        }
        String naming = changesTables
                ? LockStatements.changes(holder, held.keySet(), ++changes)
                : LockStatements.fence(holder, held.keySet());
        asking.accept(naming, answer -> {
            switch (answer) {
                case Committed committed ->
                    then.accept(committed.kind() == Kind.TABLE && !hasAll(committed) ? lost() : null);
                case Failed failure -> then.accept(reason(failure));
            }
        });
    }

    private boolean hasAll(Committed committed) {
        ResultBlock rows = new ResultBlock().wrap(committed.results(), 0, committed.results().length);
        return LockStatements.keys(rows).containsAll(held.keySet());
    }

    /** Why a transaction with locks was not committed. */
    FulmarException reason(Failed failed) {
        boolean isLost = failed.code() == ErrorCode.FOREIGN_KEY_VIOLATION && changesTables && !held.isEmpty();
        return isLost && failed.message().contains(LockStatements.TABLE_OF_CHANGES)
                ? lost()
                : TransactionBlock.notCommitted(failed);
    }

    private static FulmarException lost() {
        return new FulmarException(
                ErrorCode.SERIALIZATION_FAILURE,
                "the session has lost an advisory lock to another one, since their nodes did not hear of each other;"
                        + " connect again");
    }

    /** The transaction has ended: so do its locks. */
    void transactionEnds(Runnable then) {
        transactionBegins();
        held.values().forEach(HeldLock::transactionEnds);
        settleAll(List.copyOf(held.keySet()).iterator(), then);
    }
}
