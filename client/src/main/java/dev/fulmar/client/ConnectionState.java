package dev.fulmar.client;

/**
 * State of a {@link NodeConnection}.
 *
 * <table>
 *   <caption>States and what ends them</caption>
 *   <tr><th>state<th>meaning<th>next
 *   <tr><td>CONNECTING<td>the client connects, or waits until it tries again<td>READY, when the server's welcome came
 *   <tr><td>READY<td>calls are sent at once<td>HELD, LEAVING, RETURNING; CONNECTING, when the connection is lost
 *   <tr><td>HELD<td>new calls wait for the outcome of one sent long ago<td>READY, when it is there; else as READY
 *   <tr><td>LEAVING<td>the server stops: the connection ends with its last call<td>CONNECTING
 *   <tr><td>RETURNING<td>the same, and the preferred node is tried next<td>CONNECTING
 *   <tr><td>CLOSED<td>the client is closed, from any state<td>
 * </table>
 */
enum ConnectionState {
    CONNECTING,
    READY,
    HELD,
    LEAVING,
    RETURNING,
    CLOSED;

    boolean mayBecome(ConnectionState next) {
        return switch (this) {
            case CONNECTING -> next == READY || next == CLOSED;
            case READY -> next == HELD || next == LEAVING || next == RETURNING || next == CONNECTING || next == CLOSED;
            case HELD -> next == READY || next == LEAVING || next == RETURNING || next == CONNECTING || next == CLOSED;
            case LEAVING, RETURNING -> next == CONNECTING || next == CLOSED;
            case CLOSED -> false;
        };
    }

    /** Whether there is a connection that takes calls, now or in a moment. */
    boolean takesCalls() {
        return this == READY || this == HELD;
    }

    /** Whether the connection ends when the last call on it is answered. */
    boolean isEnding() {
        return this == LEAVING || this == RETURNING;
    }
}
