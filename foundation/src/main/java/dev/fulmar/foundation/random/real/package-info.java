/** Unpredictable seeds. Invariant: the only place where chance enters a running node. */
@NullMarked
package dev.fulmar.foundation.random.real;

import org.jspecify.annotations.NullMarked;
