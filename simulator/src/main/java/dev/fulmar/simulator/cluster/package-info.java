/**
 * A whole cluster in virtual time. Its nodes are as in processes; the store of their membership, the network, the disks
 * and the clocks are models. Clients, faults and judges complete it. Invariant: a run follows from its seed alone. A
 * difference between two runs of a seed is drawn from the seed or is a defect.
 *
 * <p>More than 40 files: clients, faults, manoeuvres and judges share the state of one simulated cluster.
 */
@NullMarked
package dev.fulmar.simulator.cluster;

import org.jspecify.annotations.NullMarked;
