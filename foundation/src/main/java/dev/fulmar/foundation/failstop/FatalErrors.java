package dev.fulmar.foundation.failstop;

/**
 * Recognises errors from which no thread recovers, and passes them from a catch block to the uncaught exception
 * handler. A catch block would forget them otherwise; in a node's process the handler halts the JVM. Thread-safe.
 */
public final class FatalErrors {
    private FatalErrors() {}

    /**
     * Whether the process cannot be trusted after it: memory is exhausted, the JVM broke, or a class is gone. A stack
     * that overflowed is not among these: unwinding it gives back what was missing.
     */
    public static boolean isFatal(Throwable thrown) {
        return thrown instanceof LinkageError
                || (thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError));
    }

    /**
     * Hands a throwable to the process's default handler, or else to the current thread's; in a node's process that
     * call does not return. A library's handler of its own thread would only log it, and what is logged may be what
     * brought it here.
     */
    public static void hand(Throwable thrown) {
        Thread current = Thread.currentThread();
        Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
        if (handler == null) {
            handler = current.getUncaughtExceptionHandler();
        }
        handler.uncaughtException(current, thrown);
    }

    /** The same if it {@linkplain #isFatal is fatal}, else nothing. */
    public static void handIfFatal(Throwable thrown) {
        if (isFatal(thrown)) {
            hand(thrown);
        }
    }

    /**
     * Hands on that a class is gone. For a catch around a single call: that a call exhausted memory or stack is this
     * call's error, and what it held is free again.
     */
    public static void handIfClassIsGone(Throwable thrown) {
        if (thrown instanceof LinkageError) {
            hand(thrown);
        }
    }

    /**
     * Throws the {@linkplain #isFatal fatal} error among the causes of an exception in which a library wrapped it.
     * Calcite's parser makes a syntax error even of a class that is gone.
     */
    public static void throwFatalCause(Throwable wrapper) {
        for (Throwable cause = wrapper.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof Error error && isFatal(error)) {
                throw error;
            }
        }
    }
}
