package dev.fulmar.engine.procedure;

import dev.fulmar.procedure.Rows;
import org.jspecify.annotations.Nullable;

/** Takes the result of a call; exactly one method is called, once. */
public interface CallReply {
    void nothing();

    void value(long value);

    /** A null counts as a procedure's mistake. */
    void table(@Nullable Rows rows);

    /** Neither the array nor an element may be null. */
    void tables(@Nullable Rows @Nullable [] tables);
}
