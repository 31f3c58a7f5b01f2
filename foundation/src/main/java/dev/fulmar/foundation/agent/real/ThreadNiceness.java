package dev.fulmar.foundation.agent.real;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

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
        return isLinux() && setPriority(0);
    }

    /**
     * Lets the JVM's compiler threads give way from now on, also those that it starts later; returns how many gave way.
     * There is no way back without a privilege.
     */
    public static int lowerCompilers() {
        return lower(name -> name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler"));
    }

    /** Lets the process' threads with such names give way; the system knows 15 characters of a name. */
    static int lower(Predicate<String> names) {
        if (!isLinux()) {
            return 0;
        }
        int lowered = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                lowered += hasName(thread, names)
                                && setPriority(
                                        Integer.parseInt(thread.getFileName().toString()))
                        ? 1
                        : 0;
            }
        } catch (IOException | DirectoryIteratorException noThreads) {
            return lowered; // without /proc nobody can say which threads there are
        }
        return lowered;
    }

    private static boolean hasName(Path thread, Predicate<String> names) {
        try {
            return names.test(Files.readString(thread.resolve("comm")).strip());
        } catch (IOException ended) {
            return false;
        }
    }

    private static boolean isLinux() {
        return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux");
    }

    @SuppressWarnings("restricted")
    private static boolean setPriority(int thread) {
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
            return (int) call.invokeExact(PROCESS, thread, NICE) == 0;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a system call threw a checked exception", e);
        }
    }
}
