/** The one composition root: wiring and lifecycle, no logic. */
@NullMarked
package dev.fulmar.node;

import org.jspecify.annotations.NullMarked;
