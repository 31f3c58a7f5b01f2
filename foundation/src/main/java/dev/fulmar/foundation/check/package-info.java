/** Assertions that stay on in production. */
@NullMarked
package dev.fulmar.foundation.check;

import org.jspecify.annotations.NullMarked;
