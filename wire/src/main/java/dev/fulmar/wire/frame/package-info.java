/**
 * Frames: {@code int length} (little-endian, of what follows), {@code byte framing}, {@code byte kind}, then a Protobuf
 * message. Invariant: no memory is taken for a length that has not been checked against the limit, nor faster than
 * bytes arrive.
 */
@NullMarked
package dev.fulmar.wire.frame;

import org.jspecify.annotations.NullMarked;
