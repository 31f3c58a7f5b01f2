/**
 * Membership of a process in its cluster, and its messages with the other nodes. Invariants: A message of another node
 * is checked before it acts. One that makes no sense ends the session with that node and nothing else. The messages of
 * one channel are never mixed with those of another.
 */
@NullMarked
package dev.fulmar.coordinator.cluster;

import org.jspecify.annotations.NullMarked;
