/**
 * Whether transactions commit now. Invariant: a probe goes the way of a request through inbox, execution and commit
 * gate, and leaves no record, no version and no trace in figures.
 */
@NullMarked
package dev.fulmar.coordinator.health;

import org.jspecify.annotations.NullMarked;
