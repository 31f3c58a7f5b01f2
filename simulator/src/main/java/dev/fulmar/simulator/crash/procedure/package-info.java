/** Procedures of crash sweeps. Invariant: they are loaded from jars, as users' are, and are logged by command. */
@NullMarked
package dev.fulmar.simulator.crash.procedure;

import org.jspecify.annotations.NullMarked;
