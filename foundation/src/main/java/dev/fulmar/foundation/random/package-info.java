/** Chance. Invariant: the same seed gives the same numbers on every machine and JDK. */
@NullMarked
package dev.fulmar.foundation.random;

import org.jspecify.annotations.NullMarked;
