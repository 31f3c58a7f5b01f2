/**
 * Threads whose death is noticed, and what ends the process then. Invariant: an end that is decided comes, whatever is
 * missing.
 */
@NullMarked
package dev.fulmar.foundation.failstop.real;

import org.jspecify.annotations.NullMarked;
