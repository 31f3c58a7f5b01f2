package dev.fulmar.engine.userfunction;

/** The loaded code of a function of users. Thread-safe. */
@FunctionalInterface
public interface FunctionCode {
    /** The means to call it from one place of one statement, on one thread at a time. */
    FunctionCall newCall();
}
