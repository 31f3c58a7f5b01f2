/**
 * The simulated workload once more, on real threads and over real connections. Invariant: what a history says of a call
 * was known to its client; whatever ends without an answer counts as unknown.
 */
@NullMarked
package dev.fulmar.simulator.threads;

import org.jspecify.annotations.NullMarked;
