/**
 * A process among the others of its cluster. Invariants: whatever another node says is checked before it acts, and what
 * makes no sense ends the session with that node and nothing else; what one channel does is never mixed with another.
 */
@NullMarked
package dev.fulmar.coordinator.cluster;

import org.jspecify.annotations.NullMarked;
