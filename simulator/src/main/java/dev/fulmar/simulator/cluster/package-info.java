/**
 * A whole cluster in virtual time: nodes as processes have them, the store of their membership, the network, the disks
 * and the clocks between them, clients, what goes wrong, and the judges. Invariant: a run follows from its seed alone;
 * whatever may differ between two runs of a seed is drawn from the seed or is a defect.
 */
@NullMarked
package dev.fulmar.simulator.cluster;

import org.jspecify.annotations.NullMarked;
