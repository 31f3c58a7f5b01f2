/** Nodes that are killed. */
@NullMarked
package dev.fulmar.it.durability;

import org.jspecify.annotations.NullMarked;
