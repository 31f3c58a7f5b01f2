/** Nodes with little heap, and clients that ask for much. */
@NullMarked
package dev.fulmar.it.memory;

import org.jspecify.annotations.NullMarked;
