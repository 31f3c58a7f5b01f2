/**
 * A process takes its place in the cluster, and keeps a view of the cluster's state. Invariants: a process does nothing
 * for the cluster before it has an incarnation of its own, which no other process of its node ever had or gets, and
 * stops as soon as it hears of a younger one; the view of a record is never older than what was notified, for longer
 * than it takes to read it.
 */
@NullMarked
package dev.fulmar.coordinator.membership.enrollment;

import org.jspecify.annotations.NullMarked;
