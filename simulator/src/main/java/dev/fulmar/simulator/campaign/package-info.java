/**
 * Runs of a simulated database under random load, a seed each, and campaigns of many. Invariant: a run depends on its
 * seed only; its report holds every breach that the run showed.
 */
@NullMarked
package dev.fulmar.simulator.campaign;

import org.jspecify.annotations.NullMarked;
