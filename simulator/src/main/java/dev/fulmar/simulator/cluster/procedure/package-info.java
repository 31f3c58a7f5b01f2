/** Procedures of simulated clusters. Invariant: they are loaded from jars, as users' are. */
@NullMarked
package dev.fulmar.simulator.cluster.procedure;

import org.jspecify.annotations.NullMarked;
