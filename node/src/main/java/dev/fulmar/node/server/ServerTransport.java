package dev.fulmar.node.server;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/** Linux's epoll where its native part loads, else the JDK's selectors. */
enum ServerTransport {
    EPOLL,
    NIO;

    static ServerTransport best(boolean preferNative) {
        return preferNative && Epoll.isAvailable() ? EPOLL : NIO;
    }

    EventLoopGroup newEventLoops(int threads) {
        return new MultiThreadIoEventLoopGroup(
                threads,
                new DefaultThreadFactory("fulmar-server", true),
                switch (this) {
                    case EPOLL -> EpollIoHandler.newFactory();
                    case NIO -> NioIoHandler.newFactory();
                });
    }

    Class<? extends ServerChannel> channelType() {
        return switch (this) {
            case EPOLL -> EpollServerSocketChannel.class;
            case NIO -> NioServerSocketChannel.class;
        };
    }
}
