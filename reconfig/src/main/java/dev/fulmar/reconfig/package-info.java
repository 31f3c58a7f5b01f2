/**
 * Reconfiguration: changes of the partition plan while transactions run (Squall). Invariant: a subsystem that moves
 * data joins engine and coordinator through ports alone.
 */
@NullMarked
package dev.fulmar.reconfig;

import org.jspecify.annotations.NullMarked;
