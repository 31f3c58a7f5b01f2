package dev.fulmar.node.server;

import java.net.InetSocketAddress;
import java.net.SocketAddress;

/**
 * Origin of a request.
 *
 * @param address the client's address, for people
 * @param local whether the client runs on this machine, as far as its address tells
 */
public record ClientOrigin(String address, boolean local) {
    static String hostOf(SocketAddress remote) {
        return remote instanceof InetSocketAddress internet && internet.getAddress() != null
                ? internet.getAddress().getHostAddress()
                : String.valueOf(remote);
    }

    static ClientOrigin of(SocketAddress remote) {
        if (remote instanceof InetSocketAddress internet) {
            return new ClientOrigin(
                    internet.getHostString() + ":" + internet.getPort(),
                    internet.getAddress() != null && internet.getAddress().isLoopbackAddress());
        }
        return new ClientOrigin(String.valueOf(remote), false);
    }
}
