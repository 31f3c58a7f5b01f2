/** The clocks of the operating system. Invariant: nothing else in Fulmar reads them. */
@NullMarked
package dev.fulmar.foundation.time.real;

import org.jspecify.annotations.NullMarked;
