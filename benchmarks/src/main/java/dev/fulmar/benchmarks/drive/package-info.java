/**
 * Load generation and measurement. Invariant: a latency is counted from the moment at which its request was due. So a
 * stalled server cannot hide requests that it kept from being sent (no coordinated omission).
 */
@NullMarked
package dev.fulmar.benchmarks.drive;

import org.jspecify.annotations.NullMarked;
