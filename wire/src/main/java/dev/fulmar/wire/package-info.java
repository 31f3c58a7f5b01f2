/** Records to bytes and back: message schemas and framing, and nothing else. */
@NullMarked
package dev.fulmar.wire;

import org.jspecify.annotations.NullMarked;
