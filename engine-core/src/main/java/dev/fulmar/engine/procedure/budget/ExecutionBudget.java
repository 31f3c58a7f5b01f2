package dev.fulmar.engine.procedure.budget;

import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.time.Clock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The budget that is left to the call that now runs on a thread. Woven into procedures: {@link #enter}, {@link #leave},
 * {@link #step}, {@link #spend}, {@link #object}, {@link #caught} and the array checks. Belongs to one execution; only
 * {@link #interrupt} may be called by other threads.
 *
 * <p>The budget of a thread is found through a thread-local variable because procedure code has no other place to find
 * it; code that hands a call over to another thread, or shares a thread between calls, installs it again.
 */
public final class ExecutionBudget {
    /**
     * Steps between two looks at the clock; a step is one turn of a loop or one call, about a nanosecond of simple
     * code.
     */
    private static final int QUANTUM_STEPS = 1024;

    private static final long NOT_READ = -1;
    private static final int ARRAY_HEADER_BYTES = 16;
    private static final int OBJECT_BYTES = 24;
    private static final int REFERENCE_BYTES = 4;
    private static final ThreadLocal<@Nullable ExecutionBudget> CURRENT = new ThreadLocal<>();

    private final Clock clock;
    private final LongSupplier allocatedBytes;
    private BudgetLimits limits = BudgetLimits.DEFAULT;
    private int steps;
    private int stackSlots;
    private long deadlineNanos;
    private long madeBytes;
    private boolean caughtOfMachine;

    /** The call's own time begins with the next look at the clock. */
    private boolean hasOwnTime;

    /** The thread's reading at the first check after the call came to this thread. */
    private long allocatedAtFirst;

    private @Nullable ControlSignal raised;
    private volatile @Nullable ControlSignal interruption;

    /**
     * @param allocatedBytes bytes that the current thread has allocated so far, or -1 where that is not known
     */
    public ExecutionBudget(Clock clock, LongSupplier allocatedBytes) {
        this.clock = clock;
        this.allocatedBytes = allocatedBytes;
    }

    /** Starts a call and makes this the thread's budget. */
    public void begin(BudgetLimits newLimits) {
        open(newLimits, clock.monotonicNanos() + newLimits.timeNanos());
        install();
    }

    /**
     * Starts a call within what the thread does, and makes this the thread's budget until {@link #endWithin}. The time
     * of a call counts from its first look at the clock, so that a short one needs none.
     *
     * @param newEndNanos when the call must end in any case, on the monotonic clock
     * @return the budget of what the thread does, to be given back; null if it has none
     */
    public @Nullable ExecutionBudget beginWithin(BudgetLimits newLimits, long newEndNanos) {
        ExecutionBudget around = CURRENT.get();
        int left = steps; // many short calls look at the clock as often as a long one
        open(newLimits, newEndNanos);
        steps = left > 0 ? left : QUANTUM_STEPS;
        hasOwnTime = true;
        CURRENT.set(this);
        return around;
    }

    private void open(BudgetLimits newLimits, long newDeadlineNanos) {
        limits = newLimits;
        steps = QUANTUM_STEPS;
        stackSlots = 0;
        madeBytes = 0;
        caughtOfMachine = false;
        allocatedAtFirst = NOT_READ;
        raised = null;
        interruption = null;
        deadlineNanos = newDeadlineNanos;
        hasOwnTime = false;
    }

    /** Ends a call within what the thread does, and gives that its budget back, as it was. */
    public void endWithin(@Nullable ExecutionBudget around) {
        CURRENT.set(around); // also null, for taking it away would make an object for the next call
        if (around != null) {
            around.caughtOfMachine |= caughtOfMachine;
        }
    }

    /** Makes this the thread's budget, after the call moved here or another call ran on this thread. */
    public void install() {
        if (CURRENT.get() != this) {
            CURRENT.set(this);
            allocatedAtFirst = NOT_READ;
        }
    }

    /** Takes the budget from the thread, where procedure code is not to run any more. */
    public void end() {
        CURRENT.remove();
    }

    /** Ends the call at its next check with the signal, unless it has ended. Any thread may call it. */
    public void interrupt(ControlSignal signal) {
        interruption = signal;
    }

    /** The signal that this call met, which nothing can undo, or null. */
    public @Nullable ControlSignal raised() {
        return raised;
    }

    /** Remembers the signal, so that every later check throws it again, and returns it. */
    public <T extends ControlSignal> T raise(T signal) {
        if (raised == null) {
            raised = signal;
        }
        steps = 0;
        return signal;
    }

    /** Throws what this call has met or what others ask of it, and checks clock and memory. */
    public void check() {
        ControlSignal met = raised;
        if (met != null) {
            steps = 0;
            throw met;
        }
        ControlSignal asked = interruption;
        if (asked != null) {
            throw raise(asked);
        }
        long now = clock.monotonicNanos();
        if (hasOwnTime) {
            hasOwnTime = false;
            long end = now + limits.timeNanos();
            deadlineNanos = end - deadlineNanos < 0 ? end : deadlineNanos;
        }
        if (now - deadlineNanos > 0) {
            throw raise(new BudgetExhausted(
                    ErrorCode.PROCEDURE_TIME_BUDGET,
                    "the procedure ran longer than its time budget of " + limits.timeNanos() / 1_000_000
                            + " ms; do less in one call or raise the budget"));
        }
        if (madeBytes > limits.allocatedBytes() || allocatedHere() > limits.allocatedBytes()) {
            throw raise(tooMuchMemory());
        }
    }

    /**
     * The bytes that the thread has allocated since the first check on it: the engine's and the library's objects too.
     * 0 on a virtual thread, which has no reading.
     */
    private long allocatedHere() {
        long now = allocatedBytes.getAsLong();
        if (now < 0) {
            return 0;
        }
        if (allocatedAtFirst == NOT_READ) {
            allocatedAtFirst = now;
        }
        return now - allocatedAtFirst;
    }

    /** Before a statement or another piece of the engine's work that costs as much as this many steps. */
    public void checkBeforeWork(int count) {
        if (raised != null || interruption != null) {
            check();
        }
        spend(count);
    }

    // Woven in.

    /** At the start of a method that takes this many slots of stack; returns the thread's budget. */
    public static ExecutionBudget enter(int slots) {
        ExecutionBudget budget = CURRENT.get();
        if (budget == null) {
            throw new BudgetExhausted(ErrorCode.PROCEDURE_TIME_BUDGET, "procedure code ran outside of a call");
        }
        budget.stackSlots += slots;
        if (budget.stackSlots > budget.limits.stackSlots()) {
            throw budget.raise(new BudgetExhausted(
                    ErrorCode.PROCEDURE_DEPTH_BUDGET,
                    "the procedure's calls are nested too deeply (more than " + budget.limits.stackSlots() * 8L / 1024
                            + " KiB of stack); replace the recursion by a loop"));
        }
        budget.step();
        return budget;
    }

    /** Ends a method's call: woven in where the method returns. */
    public void leave(int slots) {
        stackSlots -= slots;
        if (Invariants.EXPENSIVE) {
            Invariants.check(stackSlots >= 0, "a procedure's method leaves no more stack than its callers entered");
        }
    }

    /** Depth to hand to {@link #caught}. */
    public int depth() {
        return stackSlots;
    }

    /** At the start of every exception handler: signals and failures of the virtual machine pass through it. */
    public void caught(Throwable thrown, int depth) {
        stackSlots = depth;
        step();
        if (thrown instanceof ControlSignal signal) {
            throw raise(signal);
        }
        if (thrown instanceof VirtualMachineError error) {
            throw raise(ofMachine(error));
        }
        caughtOfMachine |= isOfMachine(thrown);
    }

    /**
     * Whether the call has caught an exception of a kind that the virtual machine makes for an instruction. How such a
     * one looks is no property of the procedure: compiled code throws one object again and again that has no message,
     * interpreted code new ones, whose messages may name a class loader by its identity.
     */
    public boolean caughtOfMachine() {
        return caughtOfMachine;
    }

    private static boolean isOfMachine(Throwable thrown) {
        return thrown instanceof NullPointerException
                || thrown instanceof ArithmeticException
                || thrown instanceof ArrayIndexOutOfBoundsException
                || thrown instanceof ArrayStoreException
                || thrown instanceof ClassCastException;
    }

    /**
     * Before a new object that is no array. A virtual thread has no reading of what it allocates, so they are counted,
     * at a size that most have.
     */
    public void object() {
        madeBytes += OBJECT_BYTES;
    }

    /** Takes a step: woven in where a loop jumps back. */
    public void step() {
        if (--steps < 0) {
            refill();
        }
    }

    /** Before work that takes as long as this many steps. */
    public void spend(int count) {
        steps -= count;
        if (steps < 0) {
            refill();
        }
    }

    /** Before a new array; returns the length. */
    public static int array(int length, ExecutionBudget budget, int elementBytes) {
        budget.allocate((long) length * elementBytes + ARRAY_HEADER_BYTES);
        return length;
    }

    /** Before something is made whose size in references is the argument, which it returns. */
    public static int size(int size, ExecutionBudget budget) {
        budget.allocate((long) size * REFERENCE_BYTES + ARRAY_HEADER_BYTES);
        return size;
    }

    /** Before memory of this size is allocated; a negative size is left to the allocation to refuse. */
    public void allocate(long bytes) {
        if (bytes > limits.largestObjectBytes()) {
            throw raise(new BudgetExhausted(
                    ErrorCode.PROCEDURE_OBJECT_BUDGET,
                    "the procedure wants an object of " + bytes + " bytes; one may have "
                            + limits.largestObjectBytes()));
        }
        madeBytes += Math.max(0, bytes);
        if (madeBytes > limits.allocatedBytes()) {
            throw raise(tooMuchMemory());
        }
        spend((int) (Math.max(0, bytes) >>> 10));
    }

    /** The signal that stands for a failure of the virtual machine that procedure code caused. */
    public static BudgetExhausted ofMachine(VirtualMachineError error) {
        return new BudgetExhausted(
                error instanceof StackOverflowError
                        ? ErrorCode.PROCEDURE_DEPTH_BUDGET
                        : ErrorCode.PROCEDURE_MEMORY_BUDGET,
                error instanceof StackOverflowError
                        ? "the procedure's calls are nested too deeply; replace the recursion by a loop"
                        : "the procedure ran out of the node's memory (" + error.getMessage()
                                + "); use less in one call");
    }

    int largestObjectBytes() {
        return limits.largestObjectBytes();
    }

    /** The thread's budget; there must be one. */
    static ExecutionBudget current() {
        ExecutionBudget budget = CURRENT.get();
        if (budget == null) {
            throw new BudgetExhausted(ErrorCode.PROCEDURE_TIME_BUDGET, "procedure code ran outside of a call");
        }
        return budget;
    }

    private void refill() {
        steps = QUANTUM_STEPS;
        check();
    }

    private BudgetExhausted tooMuchMemory() {
        return new BudgetExhausted(
                ErrorCode.PROCEDURE_MEMORY_BUDGET,
                "the procedure allocated more than " + (limits.allocatedBytes() >> 20)
                        + " MiB; work on fewer rows in one call");
    }
}
