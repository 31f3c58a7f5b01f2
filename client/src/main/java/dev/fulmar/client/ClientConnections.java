package dev.fulmar.client;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.proto.Bound;
import dev.fulmar.wire.proto.Host;
import dev.fulmar.wire.proto.Topology;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** All connections of a client, which share its calls. Thread-safe. */
final class ClientConnections implements NodeConnection.Listener {
    private static final int MAX_REROUTES = 8;
    private static final int MAX_CONNECTIONS = 256;
    private static final int MAX_SIDE_CONNECTIONS = 8;
    private static final int READ_BYTES = 128 * 1024;
    private static final int FIRST_READ_BYTES = 16 * 1024;
    private static final int SMALLEST_READ_BYTES = 1024;

    private final ClientConfiguration configuration;
    private final EventLoopGroup eventLoops;
    private final Bootstrap bootstrap;
    private final @Nullable SslContext encryption;

    /** By their numbers. Connections are added, under {@link #lock}, and never taken away. */
    private volatile List<NodeConnection> connections;

    /** Those that were added because all others were held up. */
    private int sideConnections;

    private final KnownCluster cluster;
    private final Routes routes = new Routes();
    private final AtomicLong lastTransaction = new AtomicLong();
    private final AtomicInteger turn = new AtomicInteger();
    private final CallAdmission admission;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition change = lock.newCondition();
    private volatile boolean closed;

    private ClientConnections(ClientConfiguration configuration) {
        this.configuration = configuration;
        cluster = new KnownCluster(configuration.hosts());
        admission = new CallAdmission(configuration.maxOutstanding(), configuration.waitsWhenFull());
        Transport transport = Transport.best();
        eventLoops = transport.newEventLoops(configuration.eventLoopThreads());
        bootstrap = new Bootstrap()
                .channel(transport.channelType())
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        configuration.connectTimeout().toMillis())
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new AdaptiveRecvByteBufAllocator(SMALLEST_READ_BYTES, FIRST_READ_BYTES, READ_BYTES));
        ClientTls tls = configuration.tls();
        encryption = tls == null ? null : tls.context();
        List<NodeConnection> made = new ArrayList<>();
        for (int i = 0; i < configuration.connectionsPerHost(); i++) {
            configuration.hosts().forEach(host -> made.add(newConnection(made.size(), host)));
        }
        connections = List.copyOf(made);
    }

    private NodeConnection newConnection(int number, HostAddress host) {
        return new NodeConnection(this, number, host, bootstrap, eventLoops.next(), configuration, encryption);
    }

    /** Returns once a first host has answered; fails if none does. */
    static ClientConnections open(ClientConfiguration configuration) {
        ClientConnections opened = new ClientConnections(configuration);
        opened.connections.forEach(NodeConnection::start);
        try {
            opened.awaitFirst();
        } catch (FulmarException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    Duration callTimeout() {
        return configuration.callTimeout();
    }

    /** Number of connections that are ready for calls. */
    int readyCount() {
        return (int) connections.stream().filter(NodeConnection::isReady).count();
    }

    ClientStatistics statistics() {
        return admission.statistics();
    }

    /** Waits until the handlers of all calls have returned. */
    void drain() {
        if (inEventLoop()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "a handler of a call waits for all calls, its own included, which can never end; drain on another thread");
        }
        admission.drain();
    }

    void close() {
        if (closed) {
            return;
        }
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        List<Future<?>> closing = new ArrayList<>();
        connections.forEach(connection -> closing.add(connection.close()));
        if (!inEventLoop()) {
            closing.forEach(Future::awaitUninterruptibly);
        }
        Future<?> ended = eventLoops.shutdownGracefully(0, 2, TimeUnit.SECONDS);
        if (!inEventLoop()) {
            ended.awaitUninterruptibly();
        }
    }

    /** Takes a call: waits for room, then hands it to a connection. Every outcome goes to the call's handler. */
    void submit(PendingCall call, Duration timeout) {
        submit(call, timeout, Duration.ZERO);
    }

    /** @param patience how much longer to wait for the answer than the server is told to take */
    void submit(PendingCall call, Duration timeout, Duration patience) {
        call.timeoutMillis = (int) timeout.toMillis();
        call.sentUntilNanos = System.nanoTime() + timeout.toNanos();
        call.deadlineNanos = call.sentUntilNanos + patience.toNanos();
        if (admission.hasRoom() || admission.admits(call, !inEventLoop())) {
            if (call.onlyConnection == PendingCall.NOWHERE) {
                dispatch(call);
            } else {
                connections.get(call.onlyConnection).submit(call);
            }
        }
    }

    /** Number of a connection for calls that stay together: one that is ready, if there is one. */
    int oneConnection() {
        List<NodeConnection> all = connections;
        int first = turn.getAndIncrement() & Integer.MAX_VALUE;
        int chosen = first % all.size();
        for (int i = 0; i < all.size(); i++) {
            int number = (first + i) % all.size();
            if (all.get(number).isFree()) {
                return number;
            }
            chosen = all.get(number).isReady() ? number : chosen;
        }
        return chosen;
    }

    /** A number that no transaction of this client has had. */
    long nextTransaction() {
        return lastTransaction.incrementAndGet();
    }

    /** Waits for a future's outcome; the exception is the one that the call failed with. */
    CallResult await(CompletableFuture<CallResult> future) {
        if (inEventLoop()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "a handler of a call waits for another call, which can never end; use callAsync or send there");
        }
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FulmarException(
                    ErrorCode.OUTCOME_UNKNOWN,
                    "the thread was interrupted while it waited; the call may take effect",
                    e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof FulmarException error) {
                throw new FulmarException(error.code(), String.valueOf(error.getMessage()), error);
            }
            throw new FulmarException(ErrorCode.INTERNAL, "the client failed: " + e.getCause(), e);
        }
    }

    @Override
    public KnownCluster cluster() {
        return cluster;
    }

    /** Each node gets a connection, so that calls go straight there. */
    @Override
    public void learn(Topology told) {
        if (!configuration.directRoute()) {
            return;
        }
        routes.learn(told);
        cluster.learn(told.getHostsList());
        for (Host host : told.getHostsList()) {
            KnownCluster.addressOf(host).ifPresent(address -> connectTo(host.getNode(), address));
        }
    }

    @Override
    public void learn(Bound told) {
        routes.learn(told);
    }

    private void connectTo(int node, HostAddress address) {
        lock.lock();
        try {
            boolean isThere = connections.stream()
                    .anyMatch(connection ->
                            connection.isFor(node) || connection.home().equals(address));
            if (!isThere && connections.size() < MAX_CONNECTIONS) {
                for (int i = 0; i < configuration.connectionsPerHost(); i++) {
                    add(address);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void heldUp(NodeConnection held) {
        lock.lock();
        try {
            if (sideConnections < MAX_SIDE_CONNECTIONS && connections.stream().noneMatch(NodeConnection::isFree)) {
                sideConnections++;
                add(held.home());
            }
        } finally {
            lock.unlock();
        }
    }

    private void add(HostAddress address) {
        if (closed) {
            return;
        }
        NodeConnection added = newConnection(connections.size(), address);
        List<NodeConnection> more = new ArrayList<>(connections);
        more.add(added);
        connections = List.copyOf(more);
        added.start();
    }

    @Override
    public ClientCounters counters() {
        return admission.counters();
    }

    @Override
    public void succeeded(PendingCall call, CallResult result) {
        admission.succeeded(call, result);
    }

    @Override
    public void failed(PendingCall call, FulmarException error) {
        admission.failed(call, error);
    }

    @Override
    public void cancel(PendingCall call, CompletableFuture<@Nullable Void> asked) {
        int holder = call.connection;
        if (holder == PendingCall.NOWHERE) {
            asked.complete(null); // no connection took it, so it has failed
        } else {
            connections.get(holder).cancel(call, asked);
        }
    }

    @Override
    public boolean reroute(PendingCall call, NodeConnection from) {
        if (closed || call.rerouted >= MAX_REROUTES || call.onlyConnection != PendingCall.NOWHERE) {
            return false;
        }
        for (NodeConnection connection : connections) {
            if (connection != from && connection.isFree()) {
                call.rerouted++;
                call.requestId = 0;
                connection.submit(call);
                return true;
            }
        }
        return false;
    }

    @Override
    public void changed() {
        lock.lock();
        try {
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void dispatch(PendingCall call) {
        List<NodeConnection> all = connections;
        int count = all.size();
        int first = count == 1 ? 0 : (turn.getAndIncrement() & Integer.MAX_VALUE) % count;
        int node = count == 1 ? KeyPlaces.ANY : routes.nodeOf(call);
        NodeConnection chosen = null;
        for (int i = 0; i < count; i++) {
            NodeConnection connection = all.get((first + i) % count);
            if (connection.isFree() && (node == KeyPlaces.ANY || connection.isAt(node))) {
                connection.submit(call);
                return;
            }
            if (connection.isReady() && (chosen == null || connection.isFree())) {
                chosen = connection;
            }
        }
        if (chosen != null) {
            chosen.submit(call);
            return;
        }
        if (closed) {
            failed(
                    call,
                    new FulmarException(
                            ErrorCode.NOT_CONNECTED, "the client is closed; the call was not sent and had no effect"));
        } else {
            all.get(first).submit(call);
        }
    }

    boolean inEventLoop() {
        for (NodeConnection connection : connections) {
            if (connection.inEventLoop()) {
                return true;
            }
        }
        return false;
    }

    private void awaitFirst() {
        long nanos = configuration.connectTimeout().toNanos();
        lock.lock();
        try {
            while (readyCount() == 0) {
                if (nanos <= 0 || connections.stream().allMatch(ClientConnections::isRefused)) {
                    throw notConnected();
                }
                nanos = change.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw notConnected();
        } finally {
            lock.unlock();
        }
    }

    /** Whether trying again would come to the same. */
    private static boolean isRefused(NodeConnection connection) {
        FulmarException failure = connection.lastFailure();
        return failure != null && failure.code() == ErrorCode.AUTHENTICATION_FAILED;
    }

    private FulmarException notConnected() {
        FulmarException reason = connections.getFirst().lastFailure();
        return reason != null
                ? new FulmarException(reason.code(), String.valueOf(reason.getMessage()), reason)
                : new FulmarException(
                        ErrorCode.NOT_CONNECTED,
                        "no answer from " + configuration.hosts() + " within "
                                + configuration.connectTimeout().toMillis()
                                + " ms; check that the node runs and the address is right");
    }
}
