package dev.fulmar.engine.userfunction;

/** Calls one function with its arguments as its types; generated when it is loaded. Thread-safe. */
public interface FunctionEntry {
    /** Reads the arguments, calls the function and keeps its result. */
    void call(FunctionArguments arguments);
}
