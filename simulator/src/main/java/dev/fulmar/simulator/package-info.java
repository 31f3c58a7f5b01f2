/** A whole cluster in one thread: the same seed gives the same trace. */
@NullMarked
package dev.fulmar.simulator;

import org.jspecify.annotations.NullMarked;
