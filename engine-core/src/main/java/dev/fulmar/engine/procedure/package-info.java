/**
 * Loaded stored procedures, and the run of one call. Invariant: a call either returns normally and is not poisoned, or
 * its transaction must be rolled back; no procedure code can hide a {@link dev.fulmar.engine.procedure.ControlSignal}.
 *
 * <p>{@code loading.ProcedureRegistry} holds every procedure of one catalog version. An
 * {@code invocation.ProcedureExecution} runs one call after another; how its statements are executed is the business of
 * a {@link dev.fulmar.engine.procedure.StatementRunner}.
 */
@NullMarked
package dev.fulmar.engine.procedure;

import org.jspecify.annotations.NullMarked;
