package dev.fulmar.node.server;

import dev.fulmar.foundation.failstop.real.WatchedThreads;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.function.BooleanSupplier;

/** Linux's epoll where its native part loads, else the JDK's selectors. */
enum ServerTransport {
    EPOLL,
    NIO;

    static ServerTransport best(boolean preferNative) {
        return preferNative && Epoll.isAvailable() ? EPOLL : NIO;
    }

    /** @param isToEnd whether the threads are told to end; one that ends before is a defect */
    EventLoopGroup newEventLoops(int threads, BooleanSupplier isToEnd) {
        return new MultiThreadIoEventLoopGroup(
                threads,
                WatchedThreads.of(new DefaultThreadFactory("fulmar-server", true), isToEnd),
                switch (this) {
                    case EPOLL -> EpollIoHandler.newFactory(0, () -> new PatientSelect(System::nanoTime));
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
