package dev.fulmar.engine.procedure;

import dev.fulmar.procedure.ProcedureContext;

/**
 * The entry to a procedure's code, the same for every procedure. Thread-safe: all that a call changes belongs to its
 * context.
 */
public interface ProcedureEntry {
    /** The kind of its reply; of one that does not tell, tables. */
    default ReplyKind replyKind() {
        return ReplyKind.TABLES;
    }

    /** Reads every parameter, runs the procedure and hands its result to the reply. */
    void call(ProcedureContext context, ParameterSource parameters, CallReply reply);
}
