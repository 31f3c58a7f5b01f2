package dev.fulmar.engine.userfunction;

/** Calls a function of users from one place of one statement. One thread at a time. */
public interface FunctionCall {
    /** The place of its arguments before a call, and of its result behind it. */
    FunctionArguments arguments();

    /**
     * Calls the function with the arguments that are there.
     *
     * @throws dev.fulmar.foundation.error.FulmarException if the function throws, or spends what one call may
     */
    void run(FunctionTime time);
}
