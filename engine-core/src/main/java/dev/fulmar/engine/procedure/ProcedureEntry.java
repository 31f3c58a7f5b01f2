package dev.fulmar.engine.procedure;

import dev.fulmar.procedure.ProcedureContext;

/** The code of a procedure behind a uniform door. Thread-safe: whatever a call changes belongs to its context. */
public interface ProcedureEntry {
    /** Reads every parameter, runs the procedure and hands its result to the reply. */
    void call(ProcedureContext context, ParameterSource parameters, CallReply reply);
}
