/**
 * Messages between nodes. Invariant: a message arrives whole, at most once, and in the order sent per pair of nodes as
 * long as the link lives; it may be lost when the link breaks.
 */
@NullMarked
package dev.fulmar.foundation.network;

import org.jspecify.annotations.NullMarked;
