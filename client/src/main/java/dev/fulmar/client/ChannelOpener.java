package dev.fulmar.client;

import dev.fulmar.wire.address.HostAddress;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/**
 * Opens the TCP connections of one {@link NodeConnection}, with TLS if the client has it.
 *
 * @param clientId the first half of each request's handle; 0 if requests have none
 * @param clientName for people
 * @param welcomeNanos longest time from the TCP connection to the server's Welcome
 */
record ChannelOpener(
        Bootstrap bootstrap,
        long clientId,
        String clientName,
        long welcomeNanos,
        @Nullable ClientCredentials credentials,
        @Nullable SslContext encryption) {
    /** Begins to connect; the listener hears what comes of it once the connection is there. */
    ChannelFuture open(HostAddress target, ConnectionChannel.Listener listener) {
        return bootstrap
                .clone()
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel opened) {
                        if (encryption != null) {
                            opened.pipeline()
                                    .addLast(encryption.newHandler(opened.alloc(), target.host(), target.port()));
                        }
                        opened.pipeline()
                                .addLast(new ConnectionChannel(
                                        listener,
                                        clientId,
                                        clientName,
                                        welcomeNanos,
                                        new ClientHandshake(target, credentials)));
                    }
                })
                .connect(target.host(), target.port());
    }
}
