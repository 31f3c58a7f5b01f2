/** Procedures that misbehave, each in its own way. Invariant: whatever one of them does ends its own call alone. */
@NullMarked
package dev.fulmar.benchmarks.hostile.procedure;

import org.jspecify.annotations.NullMarked;
