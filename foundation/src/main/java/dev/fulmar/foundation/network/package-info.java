/**
 * Messages between nodes. Invariant: within a session of a link each message arrives whole, exactly once and in the
 * order sent, or the session ends. Both sides are told of that end, and nothing of an ended session arrives in a later
 * one.
 */
@NullMarked
package dev.fulmar.foundation.network;

import org.jspecify.annotations.NullMarked;
