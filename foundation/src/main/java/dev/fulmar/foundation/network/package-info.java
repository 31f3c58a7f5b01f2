/**
 * Messages between nodes. Invariant: within a session of a link each message arrives whole, exactly once and in the
 * order sent, or the session ends and both sides are told; nothing of an ended session arrives in a later one.
 */
@NullMarked
package dev.fulmar.foundation.network;

import org.jspecify.annotations.NullMarked;
