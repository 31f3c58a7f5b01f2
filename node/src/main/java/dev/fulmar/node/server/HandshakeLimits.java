package dev.fulmar.node.server;

/**
 * Limits on clients that have not authenticated.
 *
 * @param connections that have not got their Welcome yet
 * @param connectionsPerAddress of them, from one address
 */
public record HandshakeLimits(int connections, int connectionsPerAddress) {
    public static final HandshakeLimits DEFAULT = new HandshakeLimits(256, 64);
}
