/**
 * Faults in a cluster of real processes, judged by the verifiers of the simulator. Invariant: what is drawn depends on
 * the seed alone; what happens then depends on the machine too.
 */
@NullMarked
package dev.fulmar.simulator.chaos;

import org.jspecify.annotations.NullMarked;
