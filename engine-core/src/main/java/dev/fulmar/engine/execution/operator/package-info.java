/**
 * Relations at run time. A {@link dev.fulmar.engine.execution.operator.Producer} pushes rows into a
 * {@link dev.fulmar.engine.execution.operator.Consumer}; a row is no object but the addresses in {@code Frame.rows} and
 * the evaluators that read them. Invariant: operators belong to one statement on one partition, start anew at every
 * run, and allocate nothing per row on the heap.
 *
 * <p>More than 40 files: each relational operator has a class, and all share two interfaces.
 */
@NullMarked
package dev.fulmar.engine.execution.operator;

import org.jspecify.annotations.NullMarked;
