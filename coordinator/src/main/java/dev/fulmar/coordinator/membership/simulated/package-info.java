/**
 * The store of the cluster's state in a simulated world. Invariant: changes are linearizable and happen at one moment
 * between call and answer, or, if the answer is unknown, at any later moment or never; everything else the store does
 * as badly as its contract allows: answers come late or not at all, reads are stale within what was shown before,
 * sessions end at the server while the client still believes in them, and notifications are joined. Same seed, same
 * misery.
 */
@NullMarked
package dev.fulmar.coordinator.membership.simulated;

import org.jspecify.annotations.NullMarked;
