/**
 * Code that waits without holding a thread. Invariant: nothing but the control code of multi-partition transactions
 * runs in a fiber, and it waits only by parking.
 */
@NullMarked
package dev.fulmar.coordinator.fiber;

import org.jspecify.annotations.NullMarked;
