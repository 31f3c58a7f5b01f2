package dev.fulmar.engine.procedure.invocation;

import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.ParameterSource;
import dev.fulmar.engine.procedure.ReplyKind;
import dev.fulmar.engine.procedure.StatementRunner;
import dev.fulmar.engine.procedure.budget.BudgetExhausted;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.engine.procedure.budget.ExecutionBudget;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.procedure.AbortException;
import dev.fulmar.procedure.StatementException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs one call after another and keeps the last one's reply. A partition has one, and so has every multi-partition
 * transaction under way. Not thread-safe but for {@link #interrupt}.
 */
public final class ProcedureExecution {
    private static final int FIRST_RESULT_BYTES = 4 << 10;

    private final ExecutionBudget budget;
    private final ResultBlockWriter writer;
    private final CallContext context;
    private final ParameterSource parameters = new ParameterSource();
    private final ReplyBuffer reply;

    /**
     * @param allocatedBytes bytes that the current thread has allocated so far, or a negative number where that is not
     *     known
     * @param maxResultBytes limit of all rows that one call reads and returns together
     */
    public ProcedureExecution(Clock clock, LongSupplier allocatedBytes, int maxResultBytes) {
        this(clock, allocatedBytes, maxResultBytes, null);
    }

    /**
     * One whose rows are taken from a budget while they are many; its owner owes {@link #shrink}.
     *
     * @param allocatedBytes bytes that the current thread has allocated so far, or a negative number where that is not
     *     known
     * @param maxResultBytes limit of all rows that one call reads and returns together
     */
    public ProcedureExecution(
            Clock clock, LongSupplier allocatedBytes, int maxResultBytes, @Nullable ByteBudget underWay) {
        budget = new ExecutionBudget(clock, allocatedBytes);
        writer = new ResultBlockWriter(FIRST_RESULT_BYTES, maxResultBytes, underWay);
        context = new CallContext(budget, writer);
        reply = new ReplyBuffer(writer);
    }

    /**
     * Runs a call. When it returns, the transaction may commit and the reply can be read until the next call; when it
     * throws, everything that the call did must be undone: a {@link FulmarException} is the caller's answer, a
     * {@link ControlSignal} the coordinator's business.
     *
     * @param parameterList in the format of {@code dev.fulmar.foundation.data}
     * @param procedureTimeMicros what the procedure sees as the time, since the epoch
     * @param seed of the procedure's random numbers
     */
    public void run(
            LoadedProcedure procedure,
            byte[] parameterList,
            long procedureTimeMicros,
            long seed,
            BudgetLimits limits,
            StatementRunner runner) {
        reply.clear();
        parameters.open(procedure, parameterList, 0, parameterList.length);
        context.open(procedure, procedureTimeMicros, seed, runner);
        budget.begin(limits);
        try {
            call(procedure);
        } finally {
            context.close();
        }
    }

    private void call(LoadedProcedure procedure) {
        FulmarException failure = null;
        try {
            procedure.entry().call(context, parameters, reply);
            if (context.queued() > 0) {
                failure = new FulmarException(
                        ErrorCode.PROCEDURE_FAILED,
                        procedure.name() + " ended with " + context.queued()
                                + " statements queued but not executed; call execute() after queue()");
            }
        } catch (ControlSignal e) {
            budget.raise(e);
        } catch (VirtualMachineError e) {
            budget.raise(ExecutionBudget.ofMachine(e));
        } catch (AbortException e) {
            failure = new FulmarException(ErrorCode.USER_ABORT, String.valueOf(e.getMessage()));
        } catch (StatementException e) {
            FulmarException original = context.failureOf(e);
            failure = original != null ? original : describe(procedure, e);
        } catch (FulmarException e) {
            failure = e;
        } catch (Throwable e) {
            failure = describe(procedure, e);
        }
        ControlSignal raised = budget.raised();
        if (raised instanceof FailureSignal signal) {
            throw signal.failure();
        } else if (raised instanceof BudgetExhausted spent) {
            throw new FulmarException(spent.code(), procedure.name() + " was stopped: " + spent.getMessage());
        } else if (raised != null) {
            throw raised;
        } else if (failure != null) {
            throw failure;
        }
    }

    /** An exception's message may be procedure code too. */
    private FulmarException describe(LoadedProcedure procedure, Throwable thrown) {
        try {
            return failed(procedure, thrown);
        } catch (ControlSignal e) {
            budget.raise(e);
        } catch (Throwable e) {
            // A message that cannot be made is left out.
        }
        return new FulmarException(
                ErrorCode.PROCEDURE_FAILED,
                procedure.name() + " failed: " + thrown.getClass().getName());
    }

    /** The error for an exception that the procedure threw, with the place in its own code. */
    private static FulmarException failed(LoadedProcedure procedure, Throwable thrown) {
        StringBuilder text = new StringBuilder(procedure.name())
                .append(" failed: ")
                .append(thrown.getClass().getName());
        String message = thrown.getMessage();
        if (message != null) {
            text.append(": ").append(message);
        }
        for (StackTraceElement element : thrown.getStackTrace()) {
            if (LoadedProcedure.CODE_LOADER_NAME.equals(element.getClassLoaderName())) {
                text.append(" (")
                        .append(element.getClassName())
                        .append('.')
                        .append(element.getMethodName())
                        .append(", line ")
                        .append(element.getLineNumber())
                        .append(')');
                break;
            }
        }
        return new FulmarException(ErrorCode.PROCEDURE_FAILED, text.toString(), thrown);
    }

    /**
     * Ends the call under way with the signal at its next check. Any thread may call it, knowing which call is under
     * way.
     */
    public void interrupt(ControlSignal signal) {
        budget.interrupt(signal);
    }

    /**
     * Throws if the call under way has spent its time or was interrupted; for long work of the engine on its behalf.
     */
    public void checkBudget() {
        budget.check();
    }

    /** Whether the last call asked for random numbers, so that its seed matters. */
    public boolean drewRandom() {
        return context.drewRandom();
    }

    /**
     * Whether another run of the last call might go another way, although its procedure is deterministic. That is so if
     * the procedure caught a failure and went on: of a statement, at a limit of this node, or an exception of the
     * virtual machine.
     */
    public boolean metFailure() {
        return context.statementsFailed() || writer.hasOverflowed() || budget.caughtOfMachine();
    }

    /** Memory on the heap that stays for the next call. */
    public int keptBytes() {
        return writer.array().length;
    }

    public ReplyKind replyKind() {
        return reply.kind();
    }

    /** The value that the last call returned, else 0. */
    public long replyValue() {
        return reply.value();
    }

    /** Length of {@link #replyBlocks}. */
    public long replyBytes() {
        return reply.bytes();
    }

    /** Forgets the last call's rows, and memory that only an unusual call needs. */
    public void shrink() {
        writer.shrink(ResultBlockWriter.FREE_BYTES);
    }

    /** The result blocks that the last call returned, copied one after another. */
    public byte[] replyBlocks() {
        return reply.blocks();
    }
}
