/**
 * The messages of which there are many, written and read in place. Invariant: the bytes are exactly those of the
 * Protobuf schema, and nothing is allocated for them.
 */
@NullMarked
package dev.fulmar.wire.call;

import org.jspecify.annotations.NullMarked;
