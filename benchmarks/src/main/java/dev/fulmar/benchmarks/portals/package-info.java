/**
 * Results that are larger than a node's heap, and readers that stop. Invariant: what a process says of its heap it says
 * after collections that free nothing more, while the experiment sends it nothing.
 */
@NullMarked
package dev.fulmar.benchmarks.portals;

import org.jspecify.annotations.NullMarked;
