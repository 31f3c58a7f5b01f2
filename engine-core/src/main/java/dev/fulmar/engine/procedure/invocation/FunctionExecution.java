package dev.fulmar.engine.procedure.invocation;

import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.budget.BudgetExhausted;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.engine.procedure.budget.ExecutionBudget;
import dev.fulmar.engine.userfunction.FunctionArguments;
import dev.fulmar.engine.userfunction.FunctionCall;
import dev.fulmar.engine.userfunction.FunctionEntry;
import dev.fulmar.engine.userfunction.FunctionTime;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls one function of users within a budget of its own. Whatever its code does, the call ends: with a result, or with
 * an error of the statement, which names the function. One thread at a time.
 */
public final class FunctionExecution implements FunctionCall {
    private static final long PATIENT_NANOS = Long.MAX_VALUE >> 2;

    private final String name;
    private final FunctionEntry entry;
    private final FunctionArguments arguments;
    private final ExecutionBudget budget;
    private final BudgetLimits limits;
    private final BudgetLimits patient;
    private final Clock clock;

    /**
     * @param types of its parameters
     * @param limits of one call
     */
    public FunctionExecution(
            String name, FunctionEntry entry, List<ColumnType> types, Clock clock, BudgetLimits limits) {
        this.name = name;
        this.entry = entry;
        this.arguments = new FunctionArguments(types);
        this.budget = new ExecutionBudget(clock, () -> -1);
        this.limits = limits;
        this.patient = limits.withTimeNanos(PATIENT_NANOS);
        this.clock = clock;
    }

    @Override
    public FunctionArguments arguments() {
        return arguments;
    }

    @Override
    public void run(FunctionTime time) {
        long endNanos = time.hasEnd() ? time.endNanos() : clock.monotonicNanos() + limits.timeNanos();
        FulmarException failure = null;
        ExecutionBudget around = budget.beginWithin(time.isPatient() ? patient : limits, endNanos);
        try {
            entry.call(arguments);
        } catch (ControlSignal e) {
            budget.raise(e);
        } catch (VirtualMachineError e) {
            budget.raise(ExecutionBudget.ofMachine(e));
        } catch (FulmarException e) {
            failure = new FulmarException(e.code(), "function " + name + ": " + e.getMessage(), e);
        } catch (Throwable e) {
            failure = describe(e);
        } finally {
            budget.endWithin(around);
        }
        ControlSignal raised = budget.raised();
        if (raised instanceof BudgetExhausted spent) {
            throw stopped(spent.code());
        } else if (raised != null) {
            throw raised;
        } else if (failure != null) {
            throw failure;
        } else if (budget.caughtOfMachine()) { // compiled code makes other ones, so copies would differ
            throw new FulmarException(
                    ErrorCode.PROCEDURE_FAILED,
                    "function " + name + " has caught an exception of the virtual machine; test for null, zero, the"
                            + " type or the index instead");
        }
    }

    private FulmarException stopped(ErrorCode code) {
        String why = switch (code) {
            case PROCEDURE_MEMORY_BUDGET ->
                " allocated more than the " + (limits.allocatedBytes() >> 20)
                        + " MiB of one call, or than the node has; use less";
            case PROCEDURE_OBJECT_BUDGET ->
                " wanted an array or text of more than " + limits.largestObjectBytes() + " bytes; make it smaller";
            case PROCEDURE_DEPTH_BUDGET -> " called itself too deeply; replace the recursion by a loop";
            default ->
                " ran longer than the time budget, or than its statement may; do less in one call, or raise the budget";
        };
        return new FulmarException(code, "function " + name + why);
    }

    /** An exception's message may be code of users too. */
    private FulmarException describe(Throwable thrown) {
        String text = "function " + name + " failed: " + thrown.getClass().getName();
        try {
            String message = thrown.getMessage();
            text += (message == null ? "" : ": " + message) + place(thrown);
        } catch (ControlSignal e) {
            budget.raise(e);
        } catch (Throwable e) {
            // A message that cannot be made is left out.
        }
        return new FulmarException(ErrorCode.PROCEDURE_FAILED, text);
    }

    private static String place(Throwable thrown) {
        StackTraceElement element = own(thrown);
        return element == null
                ? ""
                : " (" + element.getClassName() + "." + element.getMethodName() + ", line " + element.getLineNumber()
                        + ")";
    }

    /** The place in the function's own code. */
    private static @Nullable StackTraceElement own(Throwable thrown) {
        for (StackTraceElement element : thrown.getStackTrace()) {
            if (LoadedProcedure.CODE_LOADER_NAME.equals(element.getClassLoaderName())) {
                return element;
            }
        }
        return null;
    }
}
