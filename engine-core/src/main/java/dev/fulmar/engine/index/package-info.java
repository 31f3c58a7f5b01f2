/**
 * Indexes over rows in native memory: a hash index for unique keys and a B+tree for everything else. Invariant: the
 * order of entries depends on keys only, never on the addresses of visible rows.
 */
@NullMarked
package dev.fulmar.engine.index;

import org.jspecify.annotations.NullMarked;
