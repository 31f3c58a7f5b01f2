package dev.fulmar.foundation.agent.real;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import java.util.Optional;

/**
 * Lets threads give way to others by {@code setpriority} on Linux, where the JVM's own priorities have no effect.
 * Elsewhere they have it, and those are used.
 */
public final class ThreadNiceness {
    /** A tenth of the share that a usual thread gets of a core that both want. */
    private static final int NICE = 10;

    /** {@code PRIO_PROCESS}: on Linux, of the thread alone. */
    private static final int PROCESS = 0;

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
        return isLinux && setPriority();
    }

    @SuppressWarnings("restricted")
    private static boolean setPriority() {
        Linker linker = Linker.nativeLinker();
        Optional<MemorySegment> function = linker.defaultLookup().find("setpriority");
        if (function.isEmpty()) {
            return false;
        }
        MethodHandle call = linker.downcallHandle(
                function.get(),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try {
            return (int) call.invokeExact(PROCESS, 0, NICE) == 0;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a system call threw a checked exception", e);
        }
    }
}
