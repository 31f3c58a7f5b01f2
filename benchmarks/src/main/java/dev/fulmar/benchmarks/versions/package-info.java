/**
 * This build beside others in one process. Invariant: all builds execute the same calls in turns of some milliseconds,
 * so whatever happens to the machine happens to all of them.
 */
@NullMarked
package dev.fulmar.benchmarks.versions;

import org.jspecify.annotations.NullMarked;
