/** Addresses at which nodes listen. Invariant: an address is checked when it is read, not when it is used. */
@NullMarked
package dev.fulmar.wire.address;

import org.jspecify.annotations.NullMarked;
