/** What must hold of the whole code base and no single module can test: directions, the seam, names and sizes. */
@NullMarked
package dev.fulmar.it.architecture;

import org.jspecify.annotations.NullMarked;
