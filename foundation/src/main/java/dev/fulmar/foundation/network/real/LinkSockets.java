package dev.fulmar.foundation.network.real;

import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.failstop.real.WatchedThreads;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens and closes the TCP connections between nodes, with TLS if configured, on one thread that serves all of them.
 * That is the links' thread. Names of hosts are looked up on a thread of their own, which may wait.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a connection ends it, and its end is told
final class LinkSockets {
    private static final Logger LOG = LoggerFactory.getLogger(LinkSockets.class);
    private static final int CONNECT_MILLIS = 1_000;
    private static final int MAX_CONNECTIONS = 4_096;

    private final @Nullable LinkSecurity security;
    private final boolean isNative = Epoll.isAvailable();
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
            1,
            WatchedThreads.of(new DefaultThreadFactory("fulmar-links", true), this::isClosing),
            isNative ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    private volatile boolean closing;
    private final ExecutorService names = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("fulmar-names").factory());
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    LinkSockets(@Nullable LinkSecurity security) {
        this.security = security;
    }

    private boolean isClosing() {
        return closing;
    }

    EventLoopGroup loop() {
        return loop;
    }

    InetSocketAddress listen(InetSocketAddress address, Supplier<LinkHandler> handlers) throws IOException {
        ChannelFuture binding = new ServerBootstrap()
                .group(loop)
                .channel(isNative ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel accepted) {
                        if (channels.size() >= MAX_CONNECTIONS) {
                            accepted.close();
                            return;
                        }
                        channels.add(accepted);
                        if (security != null) {
                            accepted.pipeline()
                                    .addLast(security.accepting().get().newHandler(accepted.alloc()));
                        }
                        accepted.pipeline().addLast(handlers.get());
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!binding.isSuccess()) {
            throw new IOException(
                    "cannot listen at " + address + ": " + binding.cause().getMessage(), binding.cause());
        }
        channels.add(binding.channel());
        return (InetSocketAddress) binding.channel().localAddress();
    }

    /** Connects; says why not on the links' thread. */
    void connect(InetSocketAddress address, LinkHandler handler, Consumer<String> onFailure) {
        try {
            names.execute(() -> {
                try {
                    InetAddress host = InetAddress.getByName(address.getHostString());
                    connectTo(new InetSocketAddress(host, address.getPort()), handler, onFailure);
                } catch (UnknownHostException e) {
                    LOG.debug("no address of {}", address, e);
                    loop.execute(() -> onFailure.accept("its name has no address"));
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("the links are closed", e);
        }
    }

    private void connectTo(InetSocketAddress address, LinkHandler handler, Consumer<String> onFailure) {
        new Bootstrap()
                .group(loop)
                .channel(isNative ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel connecting) {
                        channels.add(connecting);
                        if (security != null) {
                            connecting
                                    .pipeline()
                                    .addLast(tls(security.connecting().get(), connecting, address));
                        }
                        connecting.pipeline().addLast(handler);
                    }
                })
                .connect(address)
                .addListener((ChannelFuture done) -> {
                    if (!done.isSuccess()) {
                        FatalErrors.handIfFatal(done.cause());
                        onFailure.accept(String.valueOf(done.cause().getMessage()));
                    }
                });
    }

    private static SslHandler tls(SslContext context, Channel channel, InetSocketAddress address) {
        return context.newHandler(channel.alloc(), address.getHostString(), address.getPort());
    }

    void close(long graceSeconds) {
        closing = true;
        names.shutdownNow();
        channels.close().awaitUninterruptibly(TimeUnit.SECONDS.toMillis(graceSeconds));
        loop.shutdownGracefully(0, graceSeconds, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
