/**
 * How many bytes of requests, results and replies a node may have under way. Invariant: what was taken is given back
 * exactly once, by whoever took it; when nothing is under way, nothing is taken.
 */
@NullMarked
package dev.fulmar.foundation.memory;

import org.jspecify.annotations.NullMarked;
