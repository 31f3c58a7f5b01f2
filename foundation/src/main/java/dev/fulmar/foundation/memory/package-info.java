/**
 * Budget of the bytes of requests, results and replies that a node may have under way. Invariant: bytes are given back
 * exactly once, by their taker; when nothing is under way, nothing is taken. Invariant: what was taken is given back
 * exactly once, by whoever took it; when nothing is under way, nothing is taken.
 */
@NullMarked
package dev.fulmar.foundation.memory;

import org.jspecify.annotations.NullMarked;
