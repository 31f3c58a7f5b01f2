/**
 * The cluster's state in ZooKeeper, through Curator, and a ZooKeeper inside the node for a cluster on one machine.
 * Invariant: nothing is tried again behind the caller's back. Curator keeps the connection and the session; calls go to
 * ZooKeeper's own asynchronous client. A change that is repeated after an unknown outcome would meet its own first
 * attempt and call it a conflict.
 */
@NullMarked
package dev.fulmar.coordinator.membership.real;

import org.jspecify.annotations.NullMarked;
