/**
 * Memory outside the Java heap. Invariant: every mapped byte is counted in the node's
 * {@link dev.fulmar.engine.memory.MemoryBudget}, and released memory is counted off. A limit that is met fails one
 * statement, never the node.
 */
@NullMarked
package dev.fulmar.engine.memory;

import org.jspecify.annotations.NullMarked;
