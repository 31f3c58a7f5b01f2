/**
 * Probes that tell whether transactions commit now. Invariants: a probe takes the way of a request through inbox,
 * execution and commit gate. It leaves no record, no version and no trace in figures.
 */
@NullMarked
package dev.fulmar.coordinator.health;

import org.jspecify.annotations.NullMarked;
