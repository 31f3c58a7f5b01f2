/**
 * Links between nodes over TCP. Invariants:
 *
 * <ul>
 *   <li>The node with the lower number connects and the other accepts, so there is one connection per pair.
 *   <li>A node reads only a greeting from a process until it knows the process as a node of this cluster. That process
 *       may not be older than one that was heard before.
 *   <li>Receivers and listeners run on one thread.
 * </ul>
 */
@NullMarked
package dev.fulmar.foundation.network.real;

import org.jspecify.annotations.NullMarked;
