package dev.fulmar.client;

import com.google.protobuf.ByteString;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.call.ReplyReader;
import dev.fulmar.wire.proto.Bound;
import dev.fulmar.wire.proto.Topology;
import dev.fulmar.wire.proto.Welcome;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.Future;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a client: connects anew when it breaks, to another node if need be, and holds the calls that have
 * no outcome yet. Except where a method says otherwise, everything happens on the connection's event loop.
 *
 * <p>A call is in one of three places: {@code submitted} (given by another thread), {@code waiting} (not sent: no
 * connection, or the server's limit is met) or {@code outstanding} (sent, perhaps over a connection that broke since).
 */
@SuppressWarnings(
        "FutureReturnValueIgnored") // the tasks catch what they throw; a channel's failure reaches its handler
final class NodeConnection implements ConnectionChannel.Listener {
    /** The client of a connection. Thread-safe. */
    interface Listener {
        /** The addresses at which the connection may look for a node. */
        KnownCluster cluster();

        ClientCounters counters();

        /** The nodes of the cluster, and the partitions that they serve. */
        void learn(Topology told);

        /** The partitioning parameter of a procedure. */
        void learn(Bound told);

        /** The connection was made or lost. */
        void changed();

        /** It waits for the outcome of an old call. Other calls do not wait with it. */
        void heldUp(NodeConnection held);

        /** Gives a call that was not sent to another connection that is ready; false if there is none. */
        boolean reroute(PendingCall call, NodeConnection from);

        /** Another connection has the call, and is to end it. */
        void cancel(PendingCall call, CompletableFuture<@Nullable Void> asked);

        void succeeded(PendingCall call, CallResult result);

        void failed(PendingCall call, FulmarException error);
    }

    private static final int QUEUE_CHUNK = 1024;
    private static final long EXPIRY_TICK_MILLIS = 20;

    private final Listener listener;
    private final int number;
    private final HostAddress home;
    private final ChannelOpener opener;
    private final EventLoop loop;
    private final boolean repeatUnanswered;

    private final MpscUnboundedVarHandleArrayQueue<PendingCall> submitted =
            new MpscUnboundedVarHandleArrayQueue<>(QUEUE_CHUNK);
    private final AtomicBoolean drainScheduled = new AtomicBoolean();
    private final Runnable drain = this::drain;
    private final Runnable flush = this::flushNow;
    private final ArrayDeque<PendingCall> waiting = new ArrayDeque<>();
    private final OutstandingCalls outstanding = new OutstandingCalls();
    private final UnansweredCalls unanswered = new UnansweredCalls(outstanding, this::settle);

    private @Nullable ConnectionChannel channel;
    private boolean flushScheduled;

    /** Changed on the event loop by {@link #become}; read by any thread. */
    private volatile ConnectionState state = ConnectionState.CONNECTING;

    /** Address to which it is connected, was last connected, or tries to connect. */
    private volatile HostAddress address;

    private final ReconnectSchedule schedule;
    private ByteString cluster = ByteString.EMPTY;
    private long lastRequestId;
    private long incarnation;

    /** The node at the other end, or the last that was; read by any thread. */
    private volatile int node = KeyPlaces.ANY;

    /** The node that was met at home; read by any thread. */
    private volatile int homeNode = KeyPlaces.ANY;

    /** The reason for which there is no connection; read by any thread. */
    private volatile @Nullable FulmarException lastFailure;

    NodeConnection(
            Listener listener,
            int number,
            HostAddress address,
            Bootstrap bootstrap,
            EventLoop loop,
            ClientConfiguration configuration,
            @Nullable SslContext encryption) {
        this.listener = listener;
        this.number = number;
        this.home = address;
        this.address = address;
        this.schedule = new ReconnectSchedule(home, listener.cluster());
        this.loop = loop;
        this.repeatUnanswered = configuration.repeatUnanswered();
        this.opener = new ChannelOpener(
                bootstrap.clone(loop),
                repeatUnanswered ? ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE) : 0,
                configuration.name(),
                configuration.connectTimeout().toNanos(),
                configuration.credentials(),
                encryption);
    }

    /** Begins to connect. Any thread. */
    void start() {
        loop.execute(this::connect);
        loop.scheduleWithFixedDelay(this::expire, EXPIRY_TICK_MILLIS, EXPIRY_TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void become(ConnectionState next) {
        Invariants.check(
                state.mayBecome(next), "a connection goes from state to state as the table of its states says");
        state = next;
    }

    private boolean isClosed() {
        return state == ConnectionState.CLOSED;
    }

    @Override
    public HostAddress address() {
        return address;
    }

    HostAddress home() {
        return home;
    }

    /** Any thread. */
    boolean isReady() {
        return state.takesCalls();
    }

    /** Whether a call given now would be sent at once. Any thread. */
    boolean isFree() {
        return state == ConnectionState.READY;
    }

    /** Whether its connection is one to the node, now. Any thread. */
    boolean isAt(int wanted) {
        return node == wanted;
    }

    /** Whether it is at the node, or goes back there when it can. Any thread. */
    boolean isFor(int wanted) {
        return node == wanted || homeNode == wanted;
    }

    /** Any thread. */
    @Nullable FulmarException lastFailure() {
        return lastFailure;
    }

    /** Any thread. */
    boolean inEventLoop() {
        return loop.inEventLoop();
    }

    /** Takes a call over. Any thread. */
    void submit(PendingCall call) {
        call.connection = number;
        if (loop.inEventLoop()) {
            accept(call);
            scheduleFlush();
        } else {
            submitted.offer(call);
            if (!drainScheduled.get() && drainScheduled.compareAndSet(false, true)) {
                loop.execute(drain);
            }
        }
    }

    /**
     * Ends the call if it is not sent yet, else asks the server to. The future completes when that is done, or with the
     * reason why it cannot be. Any thread.
     */
    void cancel(PendingCall call, CompletableFuture<@Nullable Void> asked) {
        loop.execute(() -> {
            drain();
            if (call.connection != number) {
                listener.cancel(call, asked);
                return;
            }
            if (waiting.remove(call)) {
                settle(call, PendingCall.cancelledUnsent());
            }
            ConnectionChannel.cancel(call, channel, asked);
            scheduleFlush();
        });
    }

    /** Ends the connection; all its calls get an outcome. Any thread; the future completes when it is done. */
    Future<?> close() {
        return loop.submit(() -> {
            if (isClosed()) {
                return;
            }
            become(ConnectionState.CLOSED);
            drain();
            ConnectionChannel open = channel;
            if (open != null) {
                open.close();
            }
            unanswered.abandon("the client was closed before the reply to the call came", call -> true);
            while (!waiting.isEmpty()) {
                settle(
                        waiting.remove(),
                        new FulmarException(
                                ErrorCode.NOT_CONNECTED,
                                "the client was closed before the call was sent; it had no effect"));
            }
        });
    }

    @Override
    public void welcomed(ConnectionChannel source, Welcome welcome) {
        if (isClosed()) {
            source.close();
            return;
        }
        listener.cluster().welcomed(welcome);
        if (incarnation != 0 && incarnation != welcome.getIncarnation()) {
            unanswered.metAnotherProcess(node, !cluster.isEmpty() && cluster.equals(welcome.getCluster()));
        }
        node = welcome.getNode();
        if (address.equals(home)) {
            homeNode = node;
            schedule.connectedAtHome();
        } else {
            loop.schedule(() -> goHome(source), schedule.connectedElsewhere(), TimeUnit.MILLISECONDS);
        }
        incarnation = welcome.getIncarnation();
        cluster = welcome.getCluster();
        channel = source;
        become(ConnectionState.READY);
        lastFailure = null;
        for (PendingCall call : outstanding.inOrder()) {
            if (call.settled) {
                outstanding.remove(call.requestId); // nobody waits for it, and it may lie too far back
                continue;
            }
            repeat(source, call);
        }
        if (updateHeld()) {
            rerouteWaiting(); // the call that held them up over the connection before holds them up again
        }
        sendWaiting();
        scheduleFlush();
        listener.changed();
    }

    @Override
    public void replied(ReplyReader reply) {
        PendingCall call = outstanding.remove(reply.requestId());
        if (call == null) {
            return;
        }
        if (reply.status() == 0) {
            if (state == ConnectionState.HELD) {
                updateHeld();
            }
            if (!call.settled) {
                call.settled = true;
                listener.succeeded(
                        call,
                        new CallResult(
                                reply.kind(), reply.value(), reply.results(), reply.serverMicros(), reply.snapshot()));
            }
        } else {
            FulmarException refusal = new FulmarException(ErrorCode.ofNumber(reply.status()), reply.message());
            // A server that stops has not begun with the call, so another one may have it.
            boolean isElsewhere = refusal.code() == ErrorCode.NODE_STOPPING
                    && !call.inDoubt
                    && !call.settled
                    && listener.reroute(call, this);
            if (!isElsewhere && !sendsAgain(call, refusal, reply.lostNode())) {
                settle(call, call.inSum(refusal));
            }
        }
        if (!waiting.isEmpty()) {
            sendWaiting();
            scheduleFlush();
        }
        leaveIfDone();
    }

    /**
     * Asks a node again that could not execute a call, or say whether another node did, while the cluster's roles
     * change.
     */
    private boolean sendsAgain(PendingCall call, FulmarException refusal, int lostNode) {
        boolean isWanted = repeatUnanswered && !call.settled && !isClosed();
        boolean again = isWanted && call.mayBeAskedAgain(refusal, lostNode, !cluster.isEmpty(), System.nanoTime());
        if (again) {
            outstanding.add(call);
            loop.schedule(() -> sendOnceMore(call), call.retryMillis, TimeUnit.MILLISECONDS);
        }
        return again;
    }

    private void sendOnceMore(PendingCall call) {
        ConnectionChannel open = channel;
        if (open != null && !state.isEnding() && outstanding.isToBeRepeated(call)) {
            if (!goesElsewhere(call)) {
                repeat(open, call);
            }
            scheduleFlush();
        }
    }

    private boolean goesElsewhere(PendingCall call) {
        if (call.isForAnotherNode() && outstanding.remove(call.requestId) != null) {
            call.forgetRefusal();
            if (listener.reroute(call, this)) {
                return true;
            }
            outstanding.add(call);
        }
        if (call.isForAnotherHandle() && outstanding.remove(call.requestId) != null) {
            call.forgetRefusal();
            accept(call);
            return true;
        }
        return false;
    }

    private void repeat(ConnectionChannel open, PendingCall call) {
        listener.counters().repeated.increment();
        call.forgetRefusal();
        unanswered.sentAgain(call);
        open.write(call);
    }

    /**
     * Moves a connection whose node was gone back, once that may be there again. Its calls end first, and new ones go
     * by other connections.
     */
    private void goHome(ConnectionChannel source) {
        if (channel == source && state.takesCalls()) {
            leave(ConnectionState.RETURNING);
        }
    }

    @Override
    public void serverStops() {
        if (state.takesCalls()) {
            leave(ConnectionState.LEAVING);
        }
    }

    private void leave(ConnectionState next) {
        become(next);
        rerouteWaiting();
        leaveIfDone();
    }

    /** A stopping server waits for its clients to leave, so that none of their calls is lost between the two. */
    private void leaveIfDone() {
        ConnectionChannel open = channel;
        if (state.isEnding() && open != null && outstanding.isNothingOnWire()) {
            open.close();
        }
    }

    @Override
    public void refused(ConnectionChannel source, FulmarException reason) {
        if (channel == source) {
            unanswered.refused(reason);
        }
    }

    @Override
    public void learn(Topology told) {
        listener.learn(told);
    }

    @Override
    public void learn(Bound told) {
        listener.learn(told);
    }

    @Override
    public void lost(ConnectionChannel source, FulmarException cause) {
        if (channel == source) {
            channel = null;
            unanswered.lost();
            listener.counters().connectionsLost.increment();
        }
        lastFailure = cause;
        ConnectionState before = state;
        if (before == ConnectionState.CLOSED) {
            return;
        }
        if (before != ConnectionState.CONNECTING) {
            become(ConnectionState.CONNECTING);
        }
        if (cause.code() == ErrorCode.AUTHENTICATION_FAILED) {
            schedule.slowDown();
            while (!waiting.isEmpty()) {
                settle(waiting.remove(), new FulmarException(cause.code(), String.valueOf(cause.getMessage()), cause));
            }
        }
        if (!repeatUnanswered) {
            unanswered.abandon("the connection to " + address + " broke before the reply came", call -> true);
        }
        rerouteWaiting();
        listener.changed();
        if (before == ConnectionState.RETURNING) {
            schedule.returns();
        } else {
            schedule.lost(address);
        }
        connectNext();
    }

    /** At the next node at once; after the last one the first again, later. */
    private void connectNext() {
        if (schedule.hasNextInRound()) {
            loop.execute(this::connect);
        } else if (!isClosed() && !loop.isShuttingDown()) {
            loop.schedule(this::connect, schedule.pauseMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void connect() {
        if (isClosed()) {
            return;
        }
        HostAddress target = schedule.next();
        address = target;
        ChannelFuture attempt = opener.open(target, this);
        attempt.addListener(done -> {
            if (!done.isSuccess()) {
                lastFailure = new FulmarException(
                        ErrorCode.NOT_CONNECTED,
                        "no connection to " + target + " (" + done.cause().getMessage()
                                + "); check that the node runs and the address is right",
                        done.cause());
                rerouteWaiting();
                listener.changed();
                connectNext();
            } else if (isClosed()) {
                attempt.channel().close();
            }
        });
    }

    private void drain() {
        drainScheduled.set(false);
        PendingCall call = submitted.poll();
        if (call == null) {
            return;
        }
        while (call != null) {
            accept(call);
            call = submitted.poll();
        }
        flushNow();
    }

    private void accept(PendingCall call) {
        ConnectionChannel open = channel;
        if (isClosed()) {
            settle(
                    call,
                    new FulmarException(
                            ErrorCode.NOT_CONNECTED, "the client is closed; the call was not sent and had no effect"));
        } else if (open != null && state.takesCalls() && waiting.isEmpty() && hasRoom(open)) {
            send(open, call);
        } else {
            boolean mayGoElsewhere = updateHeld() || (!state.takesCalls() && call.rerouted == 0);
            if (!mayGoElsewhere || !listener.reroute(call, this)) {
                waiting.add(call);
            }
        }
    }

    /** Whether calls wait for the outcome of an old one. Then another connection takes them; there will be one. */
    private boolean updateHeld() {
        if (!state.takesCalls()) {
            return false;
        }
        boolean isHeld = !outstanding.isWithinWindow(lastRequestId + 1);
        if (isHeld != (state == ConnectionState.HELD)) {
            become(isHeld ? ConnectionState.HELD : ConnectionState.READY);
            if (isHeld) {
                listener.heldUp(this);
            }
        }
        return isHeld;
    }

    private void sendWaiting() {
        ConnectionChannel open = channel;
        while (open != null && state.takesCalls() && !waiting.isEmpty() && hasRoom(open)) {
            send(open, waiting.remove());
        }
    }

    private boolean hasRoom(ConnectionChannel open) {
        return outstanding.size() < open.limits().outstandingRequests()
                && outstanding.isWithinWindow(lastRequestId + 1);
    }

    private void send(ConnectionChannel open, PendingCall call) {
        FulmarException objection = CallSize.objection(call, open.limits(), address);
        if (objection != null) {
            settle(call, objection);
            return;
        }
        call.requestId = ++lastRequestId;
        call.catalogVersion = open.catalogVersion();
        outstanding.add(call);
        open.write(call);
    }

    /** Sends what this turn of the event loop writes with one system call at the turn's end. */
    private void scheduleFlush() {
        if (!flushScheduled) {
            flushScheduled = true;
            loop.execute(flush);
        }
    }

    private void flushNow() {
        flushScheduled = false;
        ConnectionChannel open = channel;
        if (open != null) {
            open.flush();
        }
    }

    private void expire() {
        long now = System.nanoTime();
        for (Iterator<PendingCall> calls = waiting.iterator(); calls.hasNext(); ) {
            PendingCall call = calls.next();
            if (call.deadlineNanos - now <= 0) {
                calls.remove();
                settle(call, PendingCall.notSentInTime(state.takesCalls() ? null : lastFailure));
            }
        }
        if (outstanding.size() > 0) {
            outstanding.forEach(call -> {
                if (!call.settled && call.deadlineNanos - now <= 0) {
                    settle(call, call.notAnswered(address));
                }
            });
        }
        if (state == ConnectionState.HELD && updateHeld()) {
            rerouteWaiting();
        } else if (!waiting.isEmpty()) {
            sendWaiting(); // a call that nobody waits for any more holds nobody up
            scheduleFlush();
        }
    }

    private void rerouteWaiting() {
        for (int count = waiting.size(); count > 0; count--) {
            PendingCall call = waiting.remove();
            if (!listener.reroute(call, this)) {
                waiting.add(call);
            }
        }
    }

    private void settle(PendingCall call, FulmarException error) {
        if (!call.settled) {
            call.settled = true;
            listener.failed(call, error);
        }
    }
}
