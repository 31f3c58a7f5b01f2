/** Timers on a thread. Invariant: tasks of one scheduler run on its one thread. */
@NullMarked
package dev.fulmar.foundation.schedule.real;

import org.jspecify.annotations.NullMarked;
