package dev.fulmar.coordinator.fiber.real;

import dev.fulmar.foundation.check.Invariants;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The continuations beneath the virtual threads of the JDK. They are no public API: a JVM opens them with
 * {@code --add-exports java.base/jdk.internal.vm=ALL-UNNAMED}.
 */
final class Continuations {
    private static final @Nullable MethodHandle CREATE;
    private static final @Nullable MethodHandle RUN;
    private static final @Nullable MethodHandle YIELD;

    static {
        MethodHandle create = null;
        MethodHandle run = null;
        MethodHandle yield = null;
        try {
            Class<?> scopeClass = Class.forName("jdk.internal.vm.ContinuationScope");
            Class<?> continuation = Class.forName("jdk.internal.vm.Continuation");
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            Object scope = lookup.findConstructor(scopeClass, MethodType.methodType(void.class, String.class))
                    .invoke("fulmar-fiber");
            create = MethodHandles.insertArguments(
                            lookup.findConstructor(
                                    continuation, MethodType.methodType(void.class, scopeClass, Runnable.class)),
                            0,
                            scope)
                    .asType(MethodType.methodType(Object.class, Runnable.class));
            run = lookup.findVirtual(continuation, "run", MethodType.methodType(void.class))
                    .asType(MethodType.methodType(void.class, Object.class));
            yield = MethodHandles.insertArguments(
                    lookup.findStatic(continuation, "yield", MethodType.methodType(boolean.class, scopeClass)),
                    0,
                    scope);
        } catch (Throwable closed) { // not opened, or another JDK: virtual threads do the work
            create = null;
        }
        CREATE = create;
        RUN = run;
        YIELD = yield;
    }

    private Continuations() {}

    static boolean areOpen() {
        return CREATE != null;
    }

    static Object create(Runnable body) {
        try {
            return (Object) present(CREATE).invokeExact(body);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** Runs the continuation on the current thread until it yields or ends. */
    static void run(Object continuation) {
        try {
            present(RUN).invokeExact(continuation);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** Leaves the continuation that runs on the current thread; returns when it is run again. */
    static void yield() {
        try {
            boolean suspended = (boolean) present(YIELD).invokeExact();
            Invariants.check(suspended, "a fiber that waits has no native code on its stack");
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    private static MethodHandle present(@Nullable MethodHandle handle) {
        if (handle == null) {
            throw Invariants.breach("continuations are used where they are open");
        }
        return handle;
    }

    private static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof RuntimeException exception) {
            return exception;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a continuation threw a checked exception", thrown);
    }
}
