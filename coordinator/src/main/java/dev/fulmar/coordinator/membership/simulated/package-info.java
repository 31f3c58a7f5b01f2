/**
 * The store of the cluster's state in a simulated world. Invariant: Changes are linearizable. A change happens at one
 * moment between call and answer, or, if the answer is unknown, at any later moment or never. Everything else the store
 * does as badly as its contract allows. Answers come late or not at all, and reads are stale within what was shown
 * before. Sessions end at the server while the client still believes in them, and notifications are joined. Same seed,
 * same misery.
 */
@NullMarked
package dev.fulmar.coordinator.membership.simulated;

import org.jspecify.annotations.NullMarked;
