/**
 * Both ends of a connection of PostgreSQL's protocol, as messages are cut into bytes and travel under virtual time.
 * Invariant: an end draws nothing by itself, so what it does follows from the bytes that arrive.
 */
@NullMarked
package dev.fulmar.simulator.postgres;

import org.jspecify.annotations.NullMarked;
