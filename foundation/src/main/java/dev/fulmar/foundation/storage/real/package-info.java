/** Files of the operating system. Invariant: no name leads out of the root directory. */
@NullMarked
package dev.fulmar.foundation.storage.real;

import org.jspecify.annotations.NullMarked;
