/** Timers. Invariant: a task runs on the thread that its scheduler names, never on the caller's and never twice. */
@NullMarked
package dev.fulmar.foundation.schedule;

import org.jspecify.annotations.NullMarked;
