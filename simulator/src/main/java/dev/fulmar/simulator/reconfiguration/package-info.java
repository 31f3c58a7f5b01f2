/**
 * Reconfigurations of a cluster of real processes under faults. Invariant: keys, moments and victims that are drawn
 * depend on the seed alone; what happens then depends on the machine too.
 */
@NullMarked
package dev.fulmar.simulator.reconfiguration;

import org.jspecify.annotations.NullMarked;
