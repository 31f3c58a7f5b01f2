package dev.fulmar.engine.procedure.invocation;

import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.execution.PartitionMismatch;
import dev.fulmar.engine.procedure.AbsentDataSignal;
import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.MovedDataSignal;
import dev.fulmar.engine.procedure.PartitionMismatchSignal;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.engine.procedure.StatementBatch;
import dev.fulmar.engine.procedure.StatementRunner;
import dev.fulmar.engine.procedure.budget.ExecutionBudget;
import dev.fulmar.engine.spi.AbsentData;
import dev.fulmar.engine.spi.MovedData;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.procedure.AbortException;
import dev.fulmar.procedure.Arguments;
import dev.fulmar.procedure.Expectation;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;
import dev.fulmar.procedure.StatementException;
import dev.fulmar.procedure.TableBuilder;
import java.time.Instant;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of one call as its procedure sees it; reused from call to call. Once the call has met a
 * {@link ControlSignal} every method that could do work throws it again.
 */
final class CallContext implements ProcedureContext {
    /** A statement costs about as much as this many steps of procedure code. */
    private static final int STEPS_PER_BATCH = 64;

    private static final int ROW_COUNT_OFFSET = 4;

    /** Rows of more bytes do not stay until the next call. */
    private static final int KEPT_BYTES = 1 << 20;

    private static final int MAX_QUEUED = 1 << 20;

    private final ExecutionBudget budget;
    private final ResultBlockWriter writer;
    private final CallState state = new CallState();
    private final StatementBatch batch;
    private final ViewPool pool;
    private final BoundArguments arguments = new BoundArguments();
    private final SeededRandom random = new SeededRandom();

    private @Nullable LoadedProcedure procedure;
    private @Nullable StatementRunner runner;
    private long procedureTimeMicros;
    private int lastStatement;
    private boolean drewRandom;
    private boolean statementsFailed;

    /** The failure that the last {@link StatementException} stands for. */
    private @Nullable FulmarException statementFailure;

    private @Nullable StatementException statementException;

    CallContext(ExecutionBudget budget, ResultBlockWriter writer) {
        this.budget = budget;
        this.writer = writer;
        this.batch = new StatementBatch(writer);
        this.pool = new ViewPool(writer, state);
    }

    void open(LoadedProcedure newProcedure, long newProcedureTimeMicros, long seed, StatementRunner newRunner) {
        procedure = newProcedure;
        runner = newRunner;
        procedureTimeMicros = newProcedureTimeMicros;
        random.seed(seed);
        lastStatement = 0;
        drewRandom = false;
        statementsFailed = false;
        statementFailure = null;
        statementException = null;
        writer.shrink(KEPT_BYTES);
        batch.clear();
        pool.reset();
        state.open();
    }

    void close() {
        state.close();
        arguments.close();
        procedure = null;
        runner = null;
    }

    /** Statements that were queued and not executed. */
    int queued() {
        return batch.size();
    }

    /** The failure behind an exception that a procedure let escape, or null if it is not one of this call. */
    @Nullable FulmarException failureOf(StatementException exception) {
        return exception == statementException ? statementFailure : null;
    }

    /** The call asked for random numbers. */
    boolean drewRandom() {
        return drewRandom;
    }

    /** A statement of the call failed, whether the procedure caught that or not. */
    boolean statementsFailed() {
        return statementsFailed;
    }

    StatementBatch batch() {
        return batch;
    }

    @Override
    public Arguments queue(Statement statement) {
        state.checkOpen();
        LoadedProcedure current = present(procedure);
        int number = current.numberOf(statement, lastStatement);
        if (number < 0) {
            throw new FulmarException(
                    ErrorCode.PROCEDURE_FAILED,
                    "the statement \"" + statement + "\" is no constant of " + current.name()
                            + "; declare it as a static final field of the procedure's class or of a class that it uses");
        }
        lastStatement = number;
        checkBound();
        arguments.open(queue(current.statements().get(number)));
        return arguments;
    }

    /** Queues a statement; the caller binds its parameters. */
    Bindings queue(ProcedureStatement statement) {
        if (batch.size() == MAX_QUEUED) {
            throw new FulmarException(
                    ErrorCode.STATEMENT_TOO_COMPLEX,
                    "more than " + MAX_QUEUED + " statements are queued; call execute() from time to time");
        }
        return batch.add(statement);
    }

    /** The statement that was queued last has a value for each parameter. */
    private void checkBound() {
        int last = batch.size() - 1;
        if (last >= 0 && arguments.bound() != batch.bindings(last).count()) {
            throw new FulmarException(
                    ErrorCode.WRONG_PARAMETERS,
                    "statement " + (last + 1) + " of the batch has "
                            + batch.bindings(last).count() + " parameters, but " + arguments.bound()
                            + " were bound; bind one per ?");
        }
    }

    @Override
    public Results execute() {
        state.checkOpen();
        checkBound();
        arguments.close();
        return executeBatch();
    }

    ResultsView executeBatch() {
        budget.checkBeforeWork(STEPS_PER_BATCH);
        try {
            run();
            Invariants.check(batch.completed() == batch.size(), "every statement of a batch has an outcome");
            for (int i = 0; i < batch.size(); i++) {
                checkExpectation(i);
            }
            return pool.results().open(batch);
        } finally {
            batch.clear();
        }
    }

    private void run() {
        try {
            present(runner).execute(batch);
        } catch (FulmarException e) {
            throw statementFailed(e);
        } catch (ControlSignal e) {
            throw budget.raise(e);
        } catch (PartitionMismatch e) {
            throw budget.raise(new PartitionMismatchSignal(String.valueOf(e.getMessage())));
        } catch (AbsentData e) {
            throw budget.raise(new AbsentDataSignal(e.need()));
        } catch (MovedData e) {
            throw budget.raise(new MovedDataSignal());
        } catch (OutOfMemoryError e) {
            throw budget.raise(new FailureSignal(new FulmarException(
                    ErrorCode.MEMORY_LIMIT,
                    "the node's heap is exhausted by a statement of "
                            + present(procedure).name()
                            + "; select fewer rows, lower requests.intermediate-limit, or give the node more heap",
                    e)));
        } catch (RuntimeException | Error e) {
            throw budget.raise(new FailureSignal(new FulmarException(
                    ErrorCode.INTERNAL,
                    "a statement of " + present(procedure).name() + " met a defect; please report this",
                    e)));
        } finally {
            // Other calls may have run on this thread while this one waited.
            budget.install();
        }
    }

    private StatementException statementFailed(FulmarException failure) {
        StatementException exception =
                new StatementException(failure.code().sqlState(), String.valueOf(failure.getMessage()));
        statementFailure = failure;
        statementException = exception;
        statementsFailed = true;
        return exception;
    }

    private void checkExpectation(int position) {
        ProcedureStatement statement = batch.statement(position);
        Expectation expectation = statement.expectation();
        if (expectation == Expectation.ANY) {
            return;
        }
        long rows = statement.yieldsRows()
                ? LittleEndian.getInt(writer.array(), batch.blockStart(position) + ROW_COUNT_OFFSET)
                : batch.changedRows(position);
        boolean met = switch (expectation) {
            case ANY -> true;
            case EMPTY -> rows == 0;
            case NON_EMPTY -> rows > 0;
            case ONE_ROW -> rows == 1;
            case ZERO_OR_ONE_ROW -> rows <= 1;
            case SCALAR ->
                rows == 1 && (!statement.yieldsRows() || statement.shape().columnCount() == 1);
        };
        if (!met) {
            throw budget.raise(new FailureSignal(new FulmarException(
                    ErrorCode.EXPECTATION_FAILED,
                    "\"" + statement.compiled().plan().sql() + "\" should yield " + describe(expectation)
                            + " but yielded " + rows + (rows == 1 ? " row" : " rows"))));
        }
    }

    private static String describe(Expectation expectation) {
        return switch (expectation) {
            case ANY -> "anything";
            case EMPTY -> "no row";
            case NON_EMPTY -> "at least one row";
            case ONE_ROW -> "exactly one row";
            case ZERO_OR_ONE_ROW -> "at most one row";
            case SCALAR -> "one row of one column";
        };
    }

    @Override
    public Rows query(Statement statement, @Nullable Object... values) {
        requireEmptyQueue();
        queue(statement, values);
        return execute().rows(0);
    }

    @Override
    public long update(Statement statement, @Nullable Object... values) {
        requireEmptyQueue();
        queue(statement, values);
        return execute().changedRows(0);
    }

    private void requireEmptyQueue() {
        if (batch.size() > 0) {
            throw new FulmarException(
                    ErrorCode.PROCEDURE_FAILED,
                    batch.size() + " statements are queued; call execute() before query() or update()");
        }
    }

    @Override
    public Instant now() {
        return Instant.ofEpochSecond(
                Math.floorDiv(procedureTimeMicros, 1_000_000L), Math.floorMod(procedureTimeMicros, 1_000_000L) * 1_000);
    }

    @Override
    public long nowMicros() {
        return procedureTimeMicros;
    }

    @Override
    public RandomGenerator random() {
        drewRandom = true;
        return random;
    }

    @Override
    public UUID uuid() {
        drewRandom = true;
        return random.nextUuid();
    }

    @Override
    public TableBuilder table(String... columns) {
        state.checkOpen();
        return new BuiltTable(columns, writer, pool);
    }

    @Override
    public AbortException abort(String message) {
        return new AbortException(message);
    }

    private static <T> T present(@Nullable T value) {
        if (value == null) {
            throw Invariants.breach("a call is under way");
        }
        return value;
    }
}
