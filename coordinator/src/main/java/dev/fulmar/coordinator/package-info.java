/** Routing, partition locks, two-phase commit, replication and membership. */
@NullMarked
package dev.fulmar.coordinator;

import org.jspecify.annotations.NullMarked;
