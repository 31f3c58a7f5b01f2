/**
 * Ports of a subsystem that reconfigures a database: what it changes in a partition stands at a position of the
 * partition's log. Invariants:
 *
 * <ul>
 *   <li>A step and its record have one place between the partition's transactions, at the primary, its backups, a
 *       recovery and a restoration.
 *   <li>A step is told to be safe only once its record is durable on all copies in sync, in every mode of durability.
 *   <li>A node without the subsystem does not start on a log that has a step.
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.reconfiguration;

import org.jspecify.annotations.NullMarked;
