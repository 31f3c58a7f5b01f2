/**
 * The front door for clients: frames in, requests to the router, replies out. Invariant: every call that was read is
 * answered once, on the connection that asked if it still lives. A connection that misbehaves is closed, and no other
 * notices.
 *
 * <p>A connection belongs to one event loop. Other threads only hand it replies, through a queue. However many they
 * hand over at once, the loop is woken once and writes them with one system call.
 */
@NullMarked
package dev.fulmar.node.server;

import org.jspecify.annotations.NullMarked;
