/** Costs of what does not happen: work that a call has for a subsystem at rest. */
@NullMarked
package dev.fulmar.benchmarks.idle;

import org.jspecify.annotations.NullMarked;
