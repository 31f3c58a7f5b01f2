/**
 * Enrollment of a process in the cluster, and its view of the cluster's state. Invariants: A process does nothing for
 * the cluster before it has an incarnation of its own. No other process of its node ever had or gets that one. A
 * process stops as soon as it hears of a younger one. The view of a record is never older than the last notification,
 * for longer than it takes to read it.
 */
@NullMarked
package dev.fulmar.coordinator.membership.enrollment;

import org.jspecify.annotations.NullMarked;
