/**
 * Statements at run time. {@link dev.fulmar.engine.execution.StatementCompiler} turns a plan into a {@link
 * dev.fulmar.engine.execution.CompiledStatement}, which every partition turns into a {@link
 * dev.fulmar.engine.execution.PartitionStatement} of its own and keeps. A caller binds parameters in {@link
 * dev.fulmar.engine.execution.Bindings} and runs it.
 *
 * <p>Invariant: a compiled statement is immutable and shared by all partitions; whatever changes while a statement runs
 * belongs to one partition and its thread. A statement that fails leaves no change behind, and nothing on the hot path
 * allocates, boxes or looks a name up.
 *
 * <p>Below lie {@code operator} (relations), {@code expression} (scalars) and {@code value} (arithmetic); each knows
 * only those after it.
 *
 * <p>More than 40 files: a plan, its compiled form and its run are one idea; each step of a statement has a class.
 */
@NullMarked
package dev.fulmar.engine.execution;

import org.jspecify.annotations.NullMarked;
