/** Flows of control in virtual time. Invariant: a fiber runs only inside an event, and its waiting holds no thread. */
@NullMarked
package dev.fulmar.simulator.fiber;

import org.jspecify.annotations.NullMarked;
