package dev.fulmar.coordinator.session;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.request.CountedStatement;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.wire.session.Isolation;
import dev.fulmar.wire.session.TransactionMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The statements of a session's transaction, and its savepoints. Not thread-safe. */
final class OpenTransaction {
    /** @param cursors that had been declared by then */
    private record Savepoint(String name, int steps, int cursors) {
        private static final int FIXED_BYTES = 64;

        long bytes() {
            return FIXED_BYTES + 2L * name.length();
        }
    }

    /**
     * A statement that was executed.
     *
     * @param onlyReads whether it can have changed nothing
     * @param isLocked whether its result must be the same at the COMMIT at any level
     * @param bytes that it takes
     */
    private record Kept(ScriptStep step, boolean onlyReads, boolean isLocked, long bytes) {}

    private static final int LEASE_BYTES = 256;

    private final SessionLimits limits;
    private final ByteBudget memory;
    private final long micros;
    private final long seed;
    private final long term;
    private TransactionMode mode;
    private boolean isBegun;
    private boolean hasShown;
    private final List<Kept> steps = new ArrayList<>();

    /** Statements of whose rows it has, or may have, the lease. */
    private final List<ScriptStep> leased = new ArrayList<>();

    private final List<Savepoint> savepoints = new ArrayList<>();
    private final List<Runnable> ends = new ArrayList<>();
    private long bytes;

    /** Those of them that the rows of cursors take, which the limit of its statements is not about. */
    private long rowBytes;

    /** Statements that began, so that none has another's random numbers. */
    private long begun;

    /**
     * @param memory from which it takes its bytes
     * @param micros the transaction's time, since the epoch
     * @param seed of its random numbers; also its number
     * @param term of leadership of the partition that remembers the client's transactions
     */
    OpenTransaction(SessionLimits limits, ByteBudget memory, TransactionMode mode, long micros, long seed, long term) {
        this.mode = mode;
        this.term = term;
        this.limits = limits;
        this.memory = memory;
        this.micros = micros;
        this.seed = seed;
    }

    /** When it began, since the epoch. Any thread. */
    long micros() {
        return micros;
    }

    /** Whether it began in the term. */
    boolean isOfTerm(long other) {
        return term == other;
    }

    TransactionMode mode() {
        return mode;
    }

    /** Statements that it keeps. */
    int statements() {
        return steps.size();
    }

    /** Bytes that it takes, with the rows of its cursors. */
    long bytes() {
        return bytes;
    }

    /**
     * The answer to a statement that was not executed and has ended the transaction. A client that has seen results
     * cannot send the statement again by itself, though its connection is sound.
     */
    Failed notExecuted(Failed failed) {
        return hasShown && failed.code().category() == ErrorCode.Category.RETRYABLE
                ? new Failed(
                        ErrorCode.SERIALIZATION_FAILURE,
                        "a statement of the transaction could not be executed; run it again from BEGIN on ("
                                + failed.message() + ")")
                : failed;
    }

    /** Whether it may be over without a word to a partition. */
    boolean changesNothing() {
        for (Kept kept : steps) {
            if (!kept.onlyReads()) {
                return false;
            }
        }
        return true;
    }

    /** Takes the modes of SET TRANSACTION, before statements and savepoints; those that it has are no other ones. */
    void set(TransactionMode other) {
        boolean isSame = other.isolation().orElse(isolation()) == isolation()
                && other.readOnly().orElse(isReadOnly()) == isReadOnly();
        if ((isBegun || !savepoints.isEmpty()) && !isSame) { // ROLLBACK TO would not take it back
            throw new FulmarException(
                    ErrorCode.ACTIVE_TRANSACTION,
                    "SET TRANSACTION comes before the first statement and savepoint of its transaction; say it at BEGIN");
        }
        mode = mode.with(other);
    }

    private Isolation isolation() {
        return mode.isolation().orElse(Isolation.SERIALIZABLE);
    }

    /** Whether it changes nothing. */
    boolean isReadOnly() {
        return mode.readOnly().orElse(false);
    }

    /** Whether all its queries see one state. */
    boolean isOfOneState() {
        return isolation().showsOneState();
    }

    /** The number by which its random numbers begin. */
    long seed() {
        return seed;
    }

    /** The memory from which it takes its bytes. */
    ByteBudget memory() {
        return memory;
    }

    /** Whether it may queue for rows that it only reads: it fails if they change before it has changed them. */
    boolean queues() {
        return isolation().showsOneState() && !isReadOnly();
    }

    /** The queries whose results must be the same at its next statement. */
    List<ScriptStep> reads() {
        return steps.stream().filter(Kept::onlyReads).map(Kept::step).toList();
    }

    /**
     * A step for the statement; fails if it is one too many.
     *
     * @param before new steps that are to run before it
     * @param beforeBytes of those
     */
    ScriptStep next(TransactionRequest.AdHoc statement, List<ScriptStep> before, long beforeBytes) {
        CountedStatement.refuse(statement.sql());
        isBegun = true;
        ScriptStep last = before.isEmpty() ? last() : before.getLast();
        ScriptStep step = new ScriptStep(statement.sql(), statement.parameters(), seed + begun++).behind(last);
        long newBytes = step.bytesBehind(last) + beforeBytes;
        if (steps.size() + before.size() >= limits.statements() || bytes - rowBytes + newBytes > limits.bytes()) {
            throw tooLarge();
        }
        return step;
    }

    private @Nullable ScriptStep last() {
        return steps.isEmpty() ? null : steps.getLast().step();
    }

    /** Bytes of steps that would follow. */
    long bytes(List<ScriptStep> more) {
        return ScriptStep.bytes(more, last());
    }

    private FulmarException tooLarge() {
        return new FulmarException(
                ErrorCode.TRANSACTION_TOO_LARGE,
                "a transaction has at most " + limits.statements() + " statements, as many savepoints, and "
                        + limits.bytes() + " bytes; commit more often, or use a stored procedure");
    }

    /**
     * The transaction so far and more steps, for the request.
     *
     * @param ending {@link ScriptEnding#UNDO}, or TRY to hear of rows that other transactions keep
     */
    TransactionRequest.Script with(List<ScriptStep> more, ScriptEnding ending, TransactionRequest request) {
        List<ScriptStep> all = known();
        all.addAll(more);
        return script(all, ending, request);
    }

    /** Its commit, under the request's handle. */
    TransactionRequest.Script commit(TransactionRequest request) {
        List<ScriptStep> counting = new ArrayList<>();
        for (Kept kept : steps) {
            if (isolation() == Isolation.SERIALIZABLE || !kept.onlyReads() || kept.isLocked()) {
                counting.add(kept.step());
            }
        }
        return script(counting, ScriptEnding.COMMIT, request);
    }

    private List<ScriptStep> known() {
        List<ScriptStep> known = new ArrayList<>();
        steps.forEach(kept -> known.add(kept.step()));
        return known;
    }

    /** Its wish for the lease of the rows that the statement reads or changes; it may have it from now on. */
    TransactionRequest.Script lease(ScriptStep statement, ScriptEnding wish, TransactionRequest request) {
        take(LEASE_BYTES + statement.bytes());
        leased.add(statement);
        return script(List.of(statement), wish, request);
    }

    /** Statements whose rows it has, or may have. */
    int leases() {
        return leased.size();
    }

    /** It has not got the lease for which it asked last, and never will. */
    void refused() {
        ScriptStep query = leased.removeLast();
        giveBack(LEASE_BYTES + query.bytes());
    }

    /**
     * It has not got the lease for which it asked last. It may have that at some of the nodes, if another one has it
     * elsewhere: then it stays noted, once however often it is asked for.
     */
    void refused(ErrorCode why) {
        ScriptStep asked = leased.getLast();
        boolean mayBeOfAnother = why == ErrorCode.LOCK_NOT_AVAILABLE || why == ErrorCode.CANCELLED;
        if (!mayBeOfAnother || isLeasedBefore(asked)) {
            refused();
        }
    }

    private boolean isLeasedBefore(ScriptStep asked) {
        for (ScriptStep other : leased.subList(0, leased.size() - 1)) {
            if (other.sql().equals(asked.sql()) && Arrays.equals(other.parameters(), asked.parameters())) {
                return true;
            }
        }
        return false;
    }

    /** The end of its leases; null if it can have none. */
    TransactionRequest.@Nullable Script release() {
        if (leased.isEmpty()) {
            return null;
        }
        List<ScriptStep> ended = List.copyOf(leased);
        leased.clear();
        ended.forEach(query -> giveBack(LEASE_BYTES + query.bytes()));
        return new TransactionRequest.Script(
                0, 0, 0, ended, ScriptEnding.RELEASE, seed, false, false, micros, term, Caller.TRUSTED, 0);
    }

    private TransactionRequest.Script script(List<ScriptStep> all, ScriptEnding ending, TransactionRequest request) {
        return new TransactionRequest.Script(
                request.clientId(),
                request.requestId(),
                request.timeoutNanos(),
                all,
                ending,
                seed,
                isReadOnly(),
                isolation() == Isolation.SNAPSHOT,
                micros,
                term,
                request.caller(),
                request.catalogVersion());
    }

    /**
     * The client is told what came of the step; fails if there is no memory to keep the step.
     *
     * @param onlyReads whether it can have changed nothing
     * @param isLocked whether its result must be the same at the COMMIT in any case
     */
    void told(ScriptStep step, boolean onlyReads, boolean isLocked) {
        if (isolation().showsOneState() || !onlyReads || isLocked) {
            long taken = step.bytesBehind(last());
            take(taken);
            steps.add(new Kept(step.behind(last()), onlyReads, isLocked, taken));
        }
        hasShown = true;
    }

    /** Takes memory; fails if there is not so much. */
    void take(long more) {
        if (!memory.take(more)) {
            throw new FulmarException(
                    ErrorCode.MEMORY_LIMIT,
                    "open transactions take all of transactions.memory-limit; end some, or raise the limit");
        }
        bytes += more;
    }

    void giveBack(long less) {
        bytes -= less;
        memory.giveBack(less);
    }

    /** Takes memory for rows of a cursor; fails if there is not so much. */
    void takeRows(long more) {
        take(more);
        rowBytes += more;
    }

    void giveBackRows(long less) {
        leaveRows(less);
        memory.giveBack(less);
    }

    /** Others give so many bytes of a cursor back to the memory. */
    void leaveRows(long less) {
        Invariants.check(less <= rowBytes, "a transaction leaves no more memory than its cursors have");
        rowBytes -= less;
        bytes -= less;
    }

    /** @param cursors that were declared so far */
    void setSavepoint(String name, int cursors) {
        if (savepoints.size() >= limits.statements()) {
            throw tooLarge();
        }
        Savepoint savepoint = new Savepoint(name, steps.size(), cursors);
        take(savepoint.bytes());
        savepoints.add(savepoint);
    }

    /**
     * Forgets what came after the savepoint, which stays. Also what was read since: it is as if it had not been.
     *
     * @return cursors that had been declared by then
     */
    int rollbackTo(String name) {
        int position = positionOf(name);
        Savepoint savepoint = savepoints.get(position);
        forgetSavepointsFrom(position + 1);
        forgetFrom(savepoint.steps());
        return savepoint.cursors();
    }

    /** Forgets the savepoint and those after it. */
    void release(String name) {
        forgetSavepointsFrom(positionOf(name));
    }

    private void forgetSavepointsFrom(int position) {
        List<Savepoint> forgotten = savepoints.subList(position, savepoints.size());
        giveBack(forgotten.stream().mapToLong(Savepoint::bytes).sum());
        forgotten.clear();
    }

    private int positionOf(String name) {
        for (int i = savepoints.size() - 1; i >= 0; i--) {
            if (savepoints.get(i).name().equals(name)) {
                return i;
            }
        }
        throw new FulmarException(
                ErrorCode.UNKNOWN_SAVEPOINT,
                "there is no savepoint " + name + " in the transaction; SAVEPOINT sets one");
    }

    /** Runs the action before the transaction gives its memory back. The last one runs first. */
    void atEnd(Runnable end) {
        ends.add(end);
    }

    /** Forgets all that came after BEGIN but its leases, of which its client knows nothing. */
    void beginAgain() {
        close();
        hasShown = false;
        begun = 0;
    }

    /** Gives all memory back. */
    void close() {
        ends.reversed().forEach(Runnable::run);
        forgetSavepointsFrom(0);
        forgetFrom(0);
    }

    private void forgetFrom(int first) {
        List<Kept> forgotten = steps.subList(first, steps.size());
        long forgottenBytes = 0;
        for (Kept kept : forgotten) {
            forgottenBytes += kept.bytes();
        }
        giveBack(forgottenBytes);
        forgotten.clear();
    }
}
