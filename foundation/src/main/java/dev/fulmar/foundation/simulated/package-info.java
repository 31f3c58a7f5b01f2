/**
 * The seam's simulated twins: a whole cluster in one thread and virtual time. Invariant: the same seed and the same
 * program give the same events in the same order, and {@link dev.fulmar.foundation.simulated.SimulatedWorld#hash()}
 * proves it.
 *
 * <p>A {@link dev.fulmar.foundation.simulated.SimulatedWorld} holds time, events, the network and the disks. A
 * {@link dev.fulmar.foundation.simulated.SimulatedProcess} is one life of a node: its clock, scheduler, runners and
 * access to network and disk, which all end together when it crashes.
 */
@NullMarked
package dev.fulmar.foundation.simulated;

import org.jspecify.annotations.NullMarked;
