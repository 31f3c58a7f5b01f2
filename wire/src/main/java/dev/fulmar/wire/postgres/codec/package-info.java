/**
 * PostgreSQL's messages as bytes. Invariant: no memory is taken for a length or a count that has not been checked, nor
 * faster than bytes arrive.
 */
@NullMarked
package dev.fulmar.wire.postgres.codec;

import org.jspecify.annotations.NullMarked;
