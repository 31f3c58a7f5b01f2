/** The Java client and a node, with the network between them. */
@NullMarked
package dev.fulmar.it.network;

import org.jspecify.annotations.NullMarked;
