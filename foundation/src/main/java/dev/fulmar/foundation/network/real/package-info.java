/** Messages between real threads. Invariant: the receiver of a node runs on one thread. */
@NullMarked
package dev.fulmar.foundation.network.real;

import org.jspecify.annotations.NullMarked;
