package dev.fulmar.client;

import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.limit.WireLimits;
import dev.fulmar.wire.proto.Host;
import dev.fulmar.wire.proto.Topology;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of one database. Thread-safe; one is enough for a process.
 *
 * <p>Every method that may fail throws {@link FulmarException} (or completes its future with one). Its code tells what
 * happened: {@link ErrorCode#TIMEOUT} and {@link ErrorCode#OUTCOME_UNKNOWN} mean that the call may have taken effect,
 * every other code that it had none.
 */
public final class FulmarClient implements AutoCloseable {
    /** Policy for a call when {@link Builder#maxOutstanding} calls wait for their outcome. */
    public enum WhenFull {
        /**
         * The caller waits, at most for the call's time-out; on an event loop's thread, which must not wait, the call
         * fails.
         */
        BLOCK,
        /** The call fails at once with {@link ErrorCode#SERVER_BUSY}. */
        FAIL
    }

    private static final Logger LOG = LoggerFactory.getLogger(FulmarClient.class);
    private static final int MAX_REROUTES = 8;
    private static final int MAX_LANES = 256;
    private static final int MAX_SIDE_LANES = 8;
    private static final int LONGEST_NAME = 1000;
    private static final long DRAIN_POLL_NANOS = 100_000;
    private static final int READ_BYTES = 128 * 1024;
    private static final int FIRST_READ_BYTES = 16 * 1024;
    private static final int SMALLEST_READ_BYTES = 1024;

    private final ClientConfiguration configuration;
    private final EventLoopGroup eventLoops;
    private final Bootstrap bootstrap;
    private final @Nullable SslContext encryption;

    /** Lanes are added, under {@link #laneLock}, and never taken away. */
    private volatile List<NodeConnection> lanes;

    private int sideLanes;
    private final KnownCluster cluster;
    private final Routes routes = new Routes();
    private final AtomicInteger turn = new AtomicInteger();
    private final Semaphore room;

    /** Calls whose handlers have not returned. Room is given back earlier, so that a handler can send the next call. */
    private final AtomicInteger unsettled = new AtomicInteger();

    private final ConcurrentHashMap<String, Integer> numbers = new ConcurrentHashMap<>();
    private final AtomicInteger lastNumber = new AtomicInteger();
    private final ClientCounters counters = new ClientCounters();
    private final ReentrantLock laneLock = new ReentrantLock();
    private final Condition laneChange = laneLock.newCondition();
    private volatile boolean closed;

    private FulmarClient(ClientConfiguration configuration) {
        this.configuration = configuration;
        cluster = new KnownCluster(configuration.hosts());
        room = new Semaphore(configuration.maxOutstanding());
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
            configuration.hosts().forEach(host -> made.add(newLane(host)));
        }
        lanes = List.copyOf(made);
    }

    private NodeConnection newLane(HostAddress host) {
        return new NodeConnection(this, host, bootstrap, eventLoops.next(), configuration, encryption);
    }

    /** A builder with the default settings. */
    public static Builder builder() {
        return new Builder();
    }

    /** Connects to the hosts, {@code host} or {@code host:port}, with the default settings. */
    public static FulmarClient connect(String... hosts) {
        return builder().hosts(hosts).connect();
    }

    static FulmarClient connect(ClientConfiguration configuration) {
        FulmarClient client = new FulmarClient(configuration);
        client.lanes.forEach(NodeConnection::start);
        try {
            client.awaitFirstLane();
        } catch (FulmarException e) {
            client.close();
            throw e;
        }
        return client;
    }

    /** Calls a procedure and waits for its outcome. */
    public CallResult call(String procedure, @Nullable Object... arguments) {
        return await(callAsync(procedure, arguments));
    }

    /** Calls a procedure; the future completes on an event loop's thread. */
    public CompletableFuture<CallResult> callAsync(String procedure, @Nullable Object... arguments) {
        Invocation invocation = prepare(procedure).start();
        for (Object argument : arguments) {
            invocation.withObject(argument);
        }
        return invocation.callAsync();
    }

    /**
     * A procedure to be called often. The server learns of it with the first call, which fails if there is no such
     * procedure.
     */
    public PreparedCall prepare(String procedure) {
        if (procedure.isEmpty() || procedure.length() > LONGEST_NAME) {
            throw new FulmarException(
                    ErrorCode.UNKNOWN_PROCEDURE,
                    "a procedure's name has 1 to " + LONGEST_NAME + " characters, not " + procedure.length());
        }
        int number = numbers.computeIfAbsent(procedure, name -> lastNumber.incrementAndGet());
        return new PreparedCall(this, procedure, number, configuration.callTimeout(), Consistency.DECLARED);
    }

    /** Executes one SQL statement and waits for its outcome. */
    public CallResult execute(String sql, @Nullable Object... arguments) {
        return await(executeAsync(sql, arguments));
    }

    /**
     * Executes one SQL statement, which may show what is said if it only reads several partitions, and waits for its
     * outcome.
     */
    public CallResult execute(Consistency consistency, String sql, @Nullable Object... arguments) {
        return await(executeAsync(consistency, sql, arguments));
    }

    /** Executes one SQL statement; the future completes on an event loop's thread. */
    public CompletableFuture<CallResult> executeAsync(String sql, @Nullable Object... arguments) {
        return executeAsync(Consistency.DECLARED, sql, arguments);
    }

    /** As the other; the statement may show what is said if it only reads, and reads several partitions. */
    public CompletableFuture<CallResult> executeAsync(
            Consistency consistency, String sql, @Nullable Object... arguments) {
        ParameterWriter parameters = newParameterWriter();
        for (Object argument : arguments) {
            parameters.addObject(argument);
        }
        FutureOutcome outcome = new FutureOutcome();
        int length = parameters.end();
        submit(
                new PendingCall(0, sql, true, parameters.array(), length, consistency, outcome),
                configuration.callTimeout());
        return outcome;
    }

    /** One SQL statement, with the options that are set before it is sent. */
    public StatementCall statement(String sql) {
        return new StatementCall(this, sql);
    }

    /** Executes the statements of a script one after the other, each by itself, up to the first that fails. */
    public ScriptResult script(String text) {
        return ScriptResult.of(this, text);
    }

    /** Loads the procedures of a jar, or replaces those that it holds in a newer form. */
    public CallResult loadClasses(Path jar) {
        try {
            return call("@LoadClasses", (Object) Files.readAllBytes(jar));
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.WRONG_PARAMETERS, "the jar " + jar + " cannot be read; check path and permissions", e);
        }
    }

    /**
     * Waits until every call has its outcome and its handler has returned; calls that handlers or other threads send
     * meanwhile count too.
     */
    public void drain() {
        if (inEventLoop()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "a handler of a call waits for all calls, its own included, which can never end; drain on another thread");
        }
        while (unsettled.get() > 0) {
            LockSupport.parkNanos(DRAIN_POLL_NANOS);
        }
    }

    public ClientStatistics statistics() {
        return new ClientStatistics(
                counters.completed.sum(),
                counters.failed.sum(),
                counters.outcomesUnknown.sum(),
                counters.repeated.sum(),
                counters.connectionsLost.sum(),
                configuration.maxOutstanding() - room.availablePermits());
    }

    /** Number of connections that are ready for calls. */
    public int readyConnections() {
        return (int) lanes.stream().filter(NodeConnection::isReady).count();
    }

    /**
     * Closes all connections. Calls that wait for a reply end with {@link ErrorCode#OUTCOME_UNKNOWN}; {@link #drain()}
     * first avoids it.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        laneLock.lock();
        try {
            closed = true;
        } finally {
            laneLock.unlock();
        }
        List<Future<?>> closing = new ArrayList<>();
        lanes.forEach(nodeConnection -> closing.add(nodeConnection.close()));
        if (!inEventLoop()) {
            closing.forEach(Future::awaitUninterruptibly);
        }
        Future<?> ended = eventLoops.shutdownGracefully(0, 2, TimeUnit.SECONDS);
        if (!inEventLoop()) {
            ended.awaitUninterruptibly();
        }
    }

    /** Takes a call: waits for room, then hands it to a lane. Every outcome goes to the call's handler. */
    void submit(PendingCall call, Duration timeout) {
        submit(call, timeout, Duration.ZERO);
    }

    /** @param patience how much longer to wait for the answer than the server is told to take */
    void submit(PendingCall call, Duration timeout, Duration patience) {
        call.timeoutMillis = (int) timeout.toMillis();
        call.deadlineNanos = System.nanoTime() + timeout.toNanos() + patience.toNanos();
        unsettled.incrementAndGet();
        if (acquireRoom(call)) {
            dispatch(call);
        }
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

    Duration callTimeout() {
        return configuration.callTimeout();
    }

    ParameterWriter newParameterWriter() {
        return new ParameterWriter(PreparedCall.INITIAL_PARAMETER_BYTES, PARAMETER_LIMIT_BYTES);
    }

    /**
     * Beyond this no server could be configured to take them; what the server really takes is checked when the call is
     * sent.
     */
    static final int PARAMETER_LIMIT_BYTES = (1 << 30) - WireLimits.FRAME_OVERHEAD_BYTES;

    KnownCluster cluster() {
        return cluster;
    }

    Routes routes() {
        return routes;
    }

    /**
     * A lane reports, on its event loop, the nodes of the cluster and the partitions that they serve. Each node gets a
     * lane, so that calls go straight there.
     */
    void learn(Topology told) {
        if (!configuration.directRoute()) {
            return;
        }
        routes.learn(told);
        cluster.learn(told.getHostsList());
        for (Host host : told.getHostsList()) {
            KnownCluster.addressOf(host).ifPresent(address -> laneTo(host.getNode(), address));
        }
    }

    private void laneTo(int node, HostAddress address) {
        laneLock.lock();
        try {
            boolean isThere = lanes.stream()
                    .anyMatch(nodeConnection ->
                            nodeConnection.isFor(node) || nodeConnection.home().equals(address));
            if (!isThere && lanes.size() < MAX_LANES) {
                for (int i = 0; i < configuration.connectionsPerHost(); i++) {
                    addLane(address);
                }
            }
        } finally {
            laneLock.unlock();
        }
    }

    /**
     * A lane reports, on its event loop, that it waits for the outcome of an old call. Other calls do not wait with it.
     */
    void heldUp(NodeConnection held) {
        laneLock.lock();
        try {
            if (sideLanes < MAX_SIDE_LANES && lanes.stream().noneMatch(NodeConnection::isFree)) {
                sideLanes++;
                addLane(held.home());
            }
        } finally {
            laneLock.unlock();
        }
    }

    private void addLane(HostAddress address) {
        if (closed) {
            return;
        }
        NodeConnection added = newLane(address);
        List<NodeConnection> more = new ArrayList<>(lanes);
        more.add(added);
        lanes = List.copyOf(more);
        added.start();
    }

    ClientCounters counters() {
        return counters;
    }

    /** A lane reports a result, on its event loop. */
    void succeeded(PendingCall call, CallResult result) {
        counters.completed.increment();
        room.release();
        try {
            call.handler.completed(result);
        } catch (RuntimeException e) {
            LOG.error("the handler of a call of {} failed", call.text, e);
        } finally {
            unsettled.decrementAndGet();
        }
    }

    /** A lane reports an error, on its event loop, or the caller's own thread does for a call without a lane. */
    void failed(PendingCall call, FulmarException error) {
        room.release();
        failedWithoutRoom(call, error);
    }

    /** Gives a call that was not sent to another lane that is ready; false if there is none. */
    boolean reroute(PendingCall call, NodeConnection from) {
        if (closed || call.rerouted >= MAX_REROUTES) {
            return false;
        }
        for (NodeConnection nodeConnection : lanes) {
            if (nodeConnection != from && nodeConnection.isFree()) {
                call.rerouted++;
                call.requestId = 0;
                nodeConnection.submit(call);
                return true;
            }
        }
        return false;
    }

    /** A lane reports that it got or lost its connection. */
    void laneChanged() {
        laneLock.lock();
        try {
            laneChange.signalAll();
        } finally {
            laneLock.unlock();
        }
    }

    private boolean acquireRoom(PendingCall call) {
        if (room.tryAcquire()) {
            return true;
        }
        boolean mayWait = configuration.whenFull() == WhenFull.BLOCK && !inEventLoop();
        try {
            if (mayWait && room.tryAcquire(call.timeoutMillis, TimeUnit.MILLISECONDS)) {
                return true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        failedWithoutRoom(
                call,
                new FulmarException(
                        ErrorCode.SERVER_BUSY,
                        "the call was not sent: " + configuration.maxOutstanding()
                                + " calls wait for their outcome already; send fewer at a time or raise maxOutstanding"));
        return false;
    }

    private void dispatch(PendingCall call) {
        List<NodeConnection> all = lanes;
        int count = all.size();
        int first = count == 1 ? 0 : (turn.getAndIncrement() & Integer.MAX_VALUE) % count;
        int node = count == 1 ? Routes.ANY : routes.nodeOf(call);
        NodeConnection chosen = null;
        for (int i = 0; i < count; i++) {
            NodeConnection nodeConnection = all.get((first + i) % count);
            if (nodeConnection.isFree() && (node == Routes.ANY || nodeConnection.isAt(node))) {
                nodeConnection.submit(call);
                return;
            }
            if (nodeConnection.isReady() && (chosen == null || nodeConnection.isFree())) {
                chosen = nodeConnection;
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

    private void failedWithoutRoom(PendingCall call, FulmarException error) {
        counters.failed.increment();
        if (error.code() == ErrorCode.TIMEOUT || error.code() == ErrorCode.OUTCOME_UNKNOWN) {
            counters.outcomesUnknown.increment();
        }
        try {
            call.handler.failed(error);
        } catch (RuntimeException e) {
            LOG.error("the handler of a failed call of {} failed", call.text, e);
        } finally {
            unsettled.decrementAndGet();
        }
    }

    private boolean inEventLoop() {
        for (NodeConnection nodeConnection : lanes) {
            if (nodeConnection.inEventLoop()) {
                return true;
            }
        }
        return false;
    }

    private void awaitFirstLane() {
        long nanos = configuration.connectTimeout().toNanos();
        laneLock.lock();
        try {
            while (readyConnections() == 0) {
                if (nanos <= 0 || lanes.stream().allMatch(FulmarClient::isRefused)) {
                    throw notConnected();
                }
                nanos = laneChange.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw notConnected();
        } finally {
            laneLock.unlock();
        }
    }

    /** Whether trying again would come to the same. */
    private static boolean isRefused(NodeConnection nodeConnection) {
        FulmarException failure = nodeConnection.lastFailure();
        return failure != null && failure.code() == ErrorCode.AUTHENTICATION_FAILED;
    }

    private FulmarException notConnected() {
        FulmarException reason = lanes.getFirst().lastFailure();
        return reason != null
                ? new FulmarException(reason.code(), String.valueOf(reason.getMessage()), reason)
                : new FulmarException(
                        ErrorCode.NOT_CONNECTED,
                        "no answer from " + configuration.hosts() + " within "
                                + configuration.connectTimeout().toMillis()
                                + " ms; check that the node runs and the address is right");
    }
}
