/**
 * A database with all that makes its process part of a cluster, connected. Invariant: a process of a simulated cluster
 * and one of a real cluster are connected by the same code. They differ only in the implementations that they are given
 * through the seam.
 */
@NullMarked
package dev.fulmar.coordinator.participation;

import org.jspecify.annotations.NullMarked;
