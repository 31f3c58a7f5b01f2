package dev.fulmar.benchmarks.failstop;

/** Errors that strike a thread. */
enum Strike {
    OUT_OF_MEMORY("java.lang.OutOfMemoryError"),
    STACK_OVERFLOW("java.lang.StackOverflowError"),
    CLASS_GONE("java.lang.NoClassDefFoundError"),
    EXCEPTION("java.lang.RuntimeException");

    private final String className;

    Strike(String className) {
        this.className = className;
    }

    String className() {
        return className;
    }
}
