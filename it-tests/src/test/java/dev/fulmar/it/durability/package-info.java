/** Nodes that are killed, or end because a library of theirs is gone. */
@NullMarked
package dev.fulmar.it.durability;

import org.jspecify.annotations.NullMarked;
