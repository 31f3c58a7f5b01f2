/** Tests of how processes end. */
@NullMarked
package dev.fulmar.foundation.failstop.real;

import org.jspecify.annotations.NullMarked;
