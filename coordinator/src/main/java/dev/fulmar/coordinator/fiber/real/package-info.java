/** Fibers on virtual threads. Invariant: threads appear nowhere else in the coordinator. */
@NullMarked
package dev.fulmar.coordinator.fiber.real;

import org.jspecify.annotations.NullMarked;
