/** Identifiers, and the seam: the only way to time, threads, sockets, files and chance. */
@NullMarked
package dev.fulmar.foundation;

import org.jspecify.annotations.NullMarked;
