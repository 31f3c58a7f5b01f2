/**
 * The Java client. Invariant: a call's outcome is told once, and never as failed when it may have taken effect: then
 * the error is {@code TIMEOUT} or {@code OUTCOME_UNKNOWN}.
 *
 * <p>{@link dev.fulmar.client.FulmarClient} is the door. A {@link dev.fulmar.client.NodeConnection} is made anew
 * when it breaks. It lives on one event loop and owns the calls that it has sent. All of them are the
 * {@link dev.fulmar.client.ClientConnections}; no class below names the one that uses it.
 */
@NullMarked
package dev.fulmar.client;

import org.jspecify.annotations.NullMarked;
