/**
 * Links between nodes over TCP. Invariants: the node with the lower number connects and the other accepts, so there is
 * one connection per pair; nothing but a greeting is read from a process before it is known to be a node of this
 * cluster, not older than one that was heard before; receivers and listeners run on one thread.
 */
@NullMarked
package dev.fulmar.foundation.network.real;

import org.jspecify.annotations.NullMarked;
