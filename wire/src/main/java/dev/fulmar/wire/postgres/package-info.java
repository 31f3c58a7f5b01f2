/**
 * PostgreSQL's protocol, version 3: messages, their bytes, and the bytes of values. Invariant: bytes of a client give a
 * message or a {@link dev.fulmar.foundation.error.FulmarException}, and never another exception.
 */
@NullMarked
package dev.fulmar.wire.postgres;

import org.jspecify.annotations.NullMarked;
