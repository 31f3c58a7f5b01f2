/** Errors. Invariant: whatever reaches a client carries an {@link dev.fulmar.foundation.error.ErrorCode}. */
@NullMarked
package dev.fulmar.foundation.error;

import org.jspecify.annotations.NullMarked;
