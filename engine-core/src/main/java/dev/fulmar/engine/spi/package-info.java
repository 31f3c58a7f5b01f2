/**
 * Ports that other modules implement for the engine, or drive it by. Invariant: nothing in this package depends on a
 * package of the engine other than {@code catalog}, {@code plan} and {@code partitioning}.
 */
@NullMarked
package dev.fulmar.engine.spi;

import org.jspecify.annotations.NullMarked;
