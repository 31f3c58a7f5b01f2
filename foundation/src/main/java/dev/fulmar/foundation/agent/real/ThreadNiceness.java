package dev.fulmar.foundation.agent.real;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import java.util.Optional;

/**
 * Lets threads give way to others on Linux, where the JVM's own priorities have no effect. It asks for
 * {@code SCHED_IDLE}: any other thread that wakes preempts such a one at once. Where the system refuses that, it asks
 * for {@code setpriority}; a thread that is only nice may keep its core for milliseconds before one that wakes gets it.
 * Elsewhere the JVM's priorities are used.
 */
public final class ThreadNiceness {
    /** A tenth of the share that a usual thread gets of a core that both want. */
    private static final int NICE = 10;

    /** {@code PRIO_PROCESS}: on Linux, of the thread alone. */
    private static final int PROCESS = 0;

    private static final int SCHED_IDLE = 5;

    /** The calling thread. */
    private static final int SELF = 0;

    private ThreadNiceness() {}

    /**
     * Lets the calling thread give way from now on; true if the system does as it was asked. There is no way back
     * without a privilege.
     */
    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on who runs first
    public static boolean lowerCurrentThread() {
        Thread.currentThread().setPriority(Thread.MIN_PRIORITY);
        boolean isLinux =
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux");
        return isLinux && (becomeIdle() || setPriority());
    }

    private static boolean becomeIdle() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment noPriority = arena.allocate(ValueLayout.JAVA_INT);
            return succeeds(
                    "sched_setscheduler",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS),
                    call -> (int) call.invokeExact(SELF, SCHED_IDLE, noPriority));
        }
    }

    private static boolean setPriority() {
        return succeeds(
                "setpriority",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
                call -> (int) call.invokeExact(PROCESS, SELF, NICE));
    }

    /** Calls a function of the system, which returns 0 if it does as it is asked. */
    private interface SystemCall {
        int call(MethodHandle function) throws Throwable;
    }

    @SuppressWarnings("restricted")
    private static boolean succeeds(String name, FunctionDescriptor descriptor, SystemCall call) {
        Linker linker = Linker.nativeLinker();
        Optional<MemorySegment> function = linker.defaultLookup().find(name);
        if (function.isEmpty()) {
            return false;
        }
        try {
            return call.call(linker.downcallHandle(function.get(), descriptor)) == 0;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a system call threw a checked exception", e);
        }
    }
}
