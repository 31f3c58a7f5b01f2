package dev.fulmar.node.server;

import dev.fulmar.coordinator.cluster.SessionCancels;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.postgres.session.SessionServices;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.proto.Host;
import dev.fulmar.wire.proto.Topology;
import dev.fulmar.wire.proto.Welcome;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server of a node for clients on a TCP port. */
public final class NodeServer {
    private static final Logger LOG = LoggerFactory.getLogger(NodeServer.class);
    private static final int READ_BYTES = 128 * 1024;
    private static final int FIRST_READ_BYTES = 16 * 1024;
    private static final int SMALLEST_READ_BYTES = 1024;
    private static final int LOW_WATER_BYTES = 256 * 1024;
    private static final int HIGH_WATER_BYTES = 4 * 1024 * 1024;

    /** So many may leave as much unread as they are allowed to, and together use up the budget. */
    private static final int SLOW_READERS = 64;

    private static final int BACKLOG = 1024;
    private static final long POLL_NANOS = 1_000_000;
    private static final Duration FAREWELL = Duration.ofMillis(500);
    private static final Duration LAST_WORDS = Duration.ofMillis(200);
    private static final Duration LAST_FLUSH = Duration.ofSeconds(2);

    private final ServerConfiguration configuration;
    private final ServerContext context;
    private final ServerTransport transport;
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    private volatile boolean ending;
    private final EventLoopGroup eventLoops;
    private @Nullable Channel listening;
    private @Nullable Channel administering;
    private @Nullable Channel postgres;
    private @Nullable PostgresService postgresService;

    /**
     * @param node number of this node
     * @param incarnation differs from those of earlier starts
     */
    public NodeServer(
            ServerConfiguration configuration,
            int node,
            long incarnation,
            TransactionRouter router,
            SystemProcedures systemProcedures,
            ConnectionListener listener,
            ServerSecurity security) {
        this(configuration, node, incarnation, router, systemProcedures, listener, security, ByteBudget.unlimited());
    }

    /**
     * @param node number of this node
     * @param incarnation differs from those of earlier starts
     * @param underWay what requests, results and replies under way may take
     */
    public NodeServer(
            ServerConfiguration configuration,
            int node,
            long incarnation,
            TransactionRouter router,
            SystemProcedures systemProcedures,
            ConnectionListener listener,
            ServerSecurity security,
            ByteBudget underWay) {
        this.configuration = configuration;
        this.transport = ServerTransport.best(configuration.preferNative());
        this.eventLoops = transport.newEventLoops(configuration.eventLoopThreads(), () -> ending);
        Welcome welcome = Welcome.newBuilder()
                .setNode(node)
                .setIncarnation(incarnation)
                .setLimits(configuration.limits().toMessage())
                .setSoftware("fulmar")
                .addHosts(Host.newBuilder()
                        .setNode(node)
                        .setAddress(configuration.address().host())
                        .setPort(configuration.address().port()))
                .build();
        context = new ServerContext(
                configuration,
                router,
                systemProcedures,
                listener,
                security,
                new ServerStatistics(configuration.eventLoopThreads(), underWay),
                welcome,
                underWay);
    }

    /** The threads that read and write the connections, one each; they run what else they are given between the two. */
    public List<Executor> threads() {
        List<Executor> threads = new ArrayList<>();
        eventLoops.forEach(threads::add);
        return List.copyOf(threads);
    }

    /** Adds to what each client that connects from now on is welcomed with. */
    public void describe(UnaryOperator<Welcome> description) {
        context.description = description;
    }

    /** From now on clients are told which parameter of a procedure says where it runs. */
    public void keys(RoutingKeys keys) {
        context.keys = keys;
    }

    /** From now on clients are told which version of tables and procedures the node knows. */
    public void catalog(LongSupplier version) {
        context.catalogVersion = version;
    }

    /** Tells clients, those that come later too, which node serves what. */
    public void announce(Topology topology) {
        context.topology = topology;
        onEachClient(ClientConnection::tellTopology);
    }

    /** Procedures may have changed. */
    public void announceKeys() {
        onEachClient(ClientConnection::tellKeys);
    }

    /** Begins to listen. */
    public void start() {
        listening = listen(configuration.address(), context.clients);
        LOG.info("listening at {} with {}", this.address(), transport);
        configuration.administration().ifPresent(address -> {
            administering = listen(address, context.administrators);
            LOG.info("listening at {} for administrators", administrationAddress());
        });
        listenForPostgres();
    }

    private Channel listen(HostAddress address, ConnectionAdmission admission) {
        return listen(address, (opened, part) -> {
            Supplier<SslContext> tls = context.security.tls();
            if (tls != null) {
                opened.pipeline().addLast(handshakeOf(tls.get(), opened));
            }
            opened.pipeline().addLast(new ClientConnection(context, part, admission));
        });
    }

    /**
     * Also serves clients of PostgreSQL's protocol; before {@link #start}.
     *
     * @param cancels ends statements of sessions, also of other nodes
     * @param keys of this node's sessions
     */
    public void servePostgres(
            PostgresAddress address, SessionServices services, SessionCancels cancels, CancelKeys keys) {
        postgresService = new PostgresService(address, services, cancels, keys);
    }

    /** The service for clients of PostgreSQL's protocol. */
    private record PostgresService(
            PostgresAddress address, SessionServices services, SessionCancels cancels, CancelKeys keys) {}

    private PostgresConnection connection(PostgresService service, ServerStatistics.Part part) {
        return new PostgresConnection(
                context, service.services(), service.keys(), service.cancels(), part, context.clients);
    }

    private void listenForPostgres() {
        PostgresService service = postgresService;
        if (service == null) {
            return;
        }
        PostgresAddress wanted = service.address();
        try {
            postgres =
                    listen(wanted.address(), (opened, part) -> opened.pipeline().addLast(connection(service, part)));
            LOG.info("listening at {} for clients of PostgreSQL's protocol", addressOf(postgres));
        } catch (FulmarException e) {
            if (wanted.isRequired()) {
                throw e;
            }
            LOG.warn(
                    "clients of PostgreSQL's protocol are not served: {}; say another one with --postgres",
                    e.getMessage());
        }
    }

    /** Address at which the server listens for clients of PostgreSQL's protocol; empty if it does not. */
    public Optional<HostAddress> postgresAddress() {
        return Optional.ofNullable(postgres).map(NodeServer::addressOf);
    }

    private Channel listen(HostAddress address, BiConsumer<Channel, ServerStatistics.Part> pipeline) {
        EventLoopGroup loops = eventLoops;
        Map<EventExecutor, ServerStatistics.Part> parts = new HashMap<>();
        for (EventExecutor loop : loops) {
            parts.put(loop, context.statistics.part(parts.size()));
        }
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(transport.channelType())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new AdaptiveRecvByteBufAllocator(SMALLEST_READ_BYTES, FIRST_READ_BYTES, READ_BYTES))
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark())
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel opened) {
                        ServerStatistics.Part part = parts.get(opened.eventLoop());
                        if (part == null) {
                            throw new IllegalStateException("a connection runs on one of the server's own event loops");
                        }
                        connections.add(opened);
                        pipeline.accept(opened, part);
                    }
                });
        ChannelFuture binding = bootstrap.bind(address.host(), address.port()).awaitUninterruptibly();
        if (!binding.isSuccess()) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the node cannot listen at " + address + " ("
                            + binding.cause().getMessage()
                            + "); choose an address of this machine and a port that is free",
                    binding.cause());
        }
        return binding.channel();
    }

    /** Many slow readers together must not take the whole budget with what each may leave unread. */
    private WriteBufferWaterMark waterMark() {
        long share = context.underWay.limitBytes() / SLOW_READERS;
        int high = Math.clamp(share, LOW_WATER_BYTES, HIGH_WATER_BYTES);
        return new WriteBufferWaterMark(Math.min(LOW_WATER_BYTES, high / 2), high);
    }

    private SslHandler handshakeOf(SslContext tls, Channel opened) {
        SslHandler handler = tls.newHandler(opened.alloc());
        handler.setHandshakeTimeoutMillis(configuration.helloTimeout().toMillis());
        return handler;
    }

    /** Address at which the server listens. */
    public HostAddress address() {
        return addressOf(listening);
    }

    /** Address at which the server listens for administrators alone, if the configuration says so. */
    public HostAddress administrationAddress() {
        return addressOf(administering);
    }

    private static HostAddress addressOf(@Nullable Channel channel) {
        if (channel == null) {
            throw new IllegalStateException("the server does not listen there");
        }
        InetSocketAddress bound = (InetSocketAddress) channel.localAddress();
        return new HostAddress(bound.getAddress().getHostAddress(), bound.getPort());
    }

    /** Ends the connections of users who do not exist any more. */
    public void endConnectionsOf(Predicate<String> isGone) {
        onEachConnection(connection -> connection.endIf(isGone));
    }

    public ServerStatistics statistics() {
        return context.statistics;
    }

    /** Budget of the requests, results and replies under way. */
    public ByteBudget underWay() {
        return context.underWay;
    }

    /** Requests that were taken and not answered. */
    public int queued() {
        return context.queued.get();
    }

    /** Open connections. */
    public int connections() {
        return context.clients.connections.get() + context.administrators.connections.get();
    }

    /**
     * Takes no new connections and requests, answers those it has taken, and closes the connections.
     *
     * @param grace how long to wait for the answers
     * @return whether all were answered
     */
    public boolean stop(Duration grace) {
        EventLoopGroup loops = eventLoops;
        Channel channel = listening;
        if (channel == null || context.stopping) {
            return true;
        }
        context.stopping = true;
        channel.close().awaitUninterruptibly();
        for (Channel other : Arrays.asList(administering, postgres)) {
            if (other != null) {
                other.close().awaitUninterruptibly();
            }
        }
        onEachConnection(connection -> connection.sayGoodbye("the node is stopping"));
        for (EventExecutor loop : loops) {
            // A request that the loop was admitting when the flag went up is counted after this.
            loop.submit(() -> {}).awaitUninterruptibly();
        }
        long deadline = System.nanoTime() + grace.toNanos();
        while (queued() > 0 && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        // A client that heard the goodbye leaves once it has all answers; closing first would cut off calls that are on
        // their way.
        long farewell = System.nanoTime() + Math.min(grace.toNanos(), FAREWELL.toNanos());
        while (connections() > 0 && System.nanoTime() - farewell < 0) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        int unanswered = queued();
        if (unanswered > 0) {
            LOG.warn("stopping with {} requests unanswered after {} s", unanswered, grace.toSeconds());
        }
        onEachConnection(ServedConnection::close);
        connections.newCloseFuture().awaitUninterruptibly(LAST_FLUSH.toMillis());
        connections.close().awaitUninterruptibly();
        return unanswered == 0;
    }

    /**
     * Notifies all clients that the node broke, and gives them a moment to read that. Their unanswered requests may be
     * the reason, so they do not send them to another node. Any thread; an event loop that broke tells the clients of
     * its own connections itself.
     */
    public void breakOff() {
        context.broken = true;
        FulmarException reason = new FulmarException(
                ErrorCode.NODE_BROKEN, "node " + context.welcome.getNode() + " broke and ends itself");
        for (Channel channel : connections) {
            Runnable telling = () -> {
                ServedConnection connection = served(channel);
                if (connection != null) {
                    connection.end(reason);
                }
            };
            if (channel.eventLoop().inEventLoop()) {
                telling.run();
            } else {
                channel.eventLoop().execute(telling);
            }
        }
        long deadline = System.nanoTime() + LAST_WORDS.toNanos();
        while (connections() > 0 && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Ends the threads; after {@link #stop}. */
    public void endThreads() {
        ending = true;
        eventLoops
                .shutdownGracefully(0, LAST_FLUSH.toSeconds(), TimeUnit.SECONDS)
                .awaitUninterruptibly();
    }

    private static @Nullable ServedConnection served(Channel channel) {
        ClientConnection connection = channel.pipeline().get(ClientConnection.class);
        return connection == null ? channel.pipeline().get(PostgresConnection.class) : connection;
    }

    /** Those of the database's own protocol. */
    private void onEachClient(Consumer<ClientConnection> action) {
        onEachConnection(connection -> {
            if (connection instanceof ClientConnection client) {
                action.accept(client);
            }
        });
    }

    private void onEachConnection(Consumer<ServedConnection> action) {
        for (Channel channel : connections) {
            channel.eventLoop().execute(() -> {
                ServedConnection connection = served(channel);
                if (connection != null) {
                    action.accept(connection);
                }
            });
        }
    }
}
