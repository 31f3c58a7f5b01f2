/**
 * Memory outside the Java heap. Invariant: every byte that is mapped is counted in the node's
 * {@link dev.fulmar.engine.memory.MemoryBudget}, and released memory is counted off; a limit that is met fails one
 * statement, never the node.
 */
@NullMarked
package dev.fulmar.engine.memory;

import org.jspecify.annotations.NullMarked;
