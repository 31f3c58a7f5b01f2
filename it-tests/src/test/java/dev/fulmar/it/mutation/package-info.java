/** Planted bugs stay plantable. Invariant: a patch that no longer applies, or no longer compiles, fails the build. */
@NullMarked
package dev.fulmar.it.mutation;

import org.jspecify.annotations.NullMarked;
