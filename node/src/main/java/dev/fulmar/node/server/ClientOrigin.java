package dev.fulmar.node.server;

/**
 * Who asks.
 *
 * @param address the client's address, for people
 * @param local whether the client runs on this machine, as far as its address tells
 */
public record ClientOrigin(String address, boolean local) {}
