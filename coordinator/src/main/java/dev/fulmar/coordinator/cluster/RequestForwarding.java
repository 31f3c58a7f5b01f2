package dev.fulmar.coordinator.cluster;

import dev.fulmar.coordinator.cluster.RequestFormat.Message;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.wire.address.HostAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Forwards requests to the nodes that serve them, and brings the answers back. A request travels once: a node that gets
 * it and does not serve it either says so, and the client asks again. Each gets one answer: that of the other node, or
 * that its outcome is unknown if the session ends before. If the other node said that it broke, the answer is one that
 * no client repeats by itself. Thread-safe.
 */
public final class RequestForwarding {
    /** A request of another node takes about so much beside its parameters, small results included. */
    private static final int REQUEST_BYTES = ResponseSink.FREE_BYTES;

    private final Network channel;
    private final Supplier<@Nullable Topology> topology;
    private final SessionCancels cancels;
    private final AtomicLong lastNumber;
    private final Map<Long, Pending> pending = new ConcurrentHashMap<>();
    private final Map<NodeId, String> clientAddresses = new ConcurrentSkipListMap<>();
    private final AtomicLong forwarded = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private volatile @Nullable TransactionRouter router;
    private volatile String clientAddress = "";
    private volatile ByteBudget underWay = ByteBudget.unlimited();

    /** Requests of other nodes that are not answered. */
    private final Map<Origin, BackTo> received = new ConcurrentHashMap<>();

    /** Nodes that said that they broke, in the session that is or was the last. */
    private final Set<NodeId> broken = ConcurrentHashMap.newKeySet();

    private record Origin(NodeId node, long number) {}

    private record Pending(NodeId node, TransactionRequest request, ResponseSink sink) {}

    /**
     * @param channel whose receiver and listener this object becomes
     * @param numbersAbove requests are numbered from here; far from where this node's earlier processes did, for a node
     *     that was linked to one of those answers what that forwarded to whichever process it is linked to by then
     */
    public RequestForwarding(Network channel, Supplier<@Nullable Topology> topology, long numbersAbove) {
        this(channel, topology, numbersAbove, SessionCancels.NONE);
    }

    /**
     * @param channel whose receiver and listener this object becomes
     * @param numbersAbove requests are numbered from here, as in the other constructor
     * @param cancels ends statements of this node's sessions for other nodes
     */
    public RequestForwarding(
            Network channel, Supplier<@Nullable Topology> topology, long numbersAbove, SessionCancels cancels) {
        this.channel = channel;
        this.topology = topology;
        this.cancels = cancels;
        this.lastNumber = new AtomicLong(numbersAbove);
        channel.onMessage(this::received);
        channel.onLink(new Sessions());
    }

    /**
     * Executes what others forward from now on. Before any session.
     *
     * @param newClientAddress where clients reach this node
     */
    public void serve(TransactionRouter newRouter, String newClientAddress) {
        serve(newRouter, newClientAddress, ByteBudget.unlimited());
    }

    /**
     * Executes what others forward from now on. Before any session.
     *
     * @param newClientAddress where clients reach this node
     * @param newUnderWay what their requests and results may take here
     */
    public void serve(TransactionRouter newRouter, String newClientAddress, ByteBudget newUnderWay) {
        underWay = newUnderWay;
        clientAddress = newClientAddress;
        clientAddresses.put(channel.self(), newClientAddress);
        router = newRouter;
    }

    /** Addresses at which clients reach the nodes that are linked now, this one included. */
    public Map<NodeId, String> clientAddresses() {
        return new TreeMap<>(clientAddresses);
    }

    /** Requests that were forwarded so far. */
    public long forwarded() {
        return forwarded.get();
    }

    /** Requests of which the outcome is unknown because the session with their node ended. */
    public long lost() {
        return lost.get();
    }

    /** Requests that wait for another node's answer. */
    public int outstanding() {
        return pending.size();
    }

    /** Hands the request to the node that serves the partition, and answers it in every case. */
    public void pass(PartitionId partition, TransactionRequest request, ResponseSink sink) {
        Topology known = topology.get();
        NodeId node = known == null ? null : known.primaryOf(partition);
        if (sink instanceof BackTo) {
            refuse(
                    request,
                    sink,
                    ErrorCode.WRONG_NODE,
                    "the node that got the request does not serve " + partition + " any more; send it again");
        } else if (node == null || node.equals(channel.self())) {
            refuse(
                    request,
                    sink,
                    ErrorCode.NOT_CONNECTED,
                    "no node serves " + partition + " at the moment; the request had no effect, send it again");
        } else {
            forward(node, partition, request, sink);
        }
    }

    private void forward(NodeId node, PartitionId partition, TransactionRequest request, ResponseSink sink) {
        ByteBuffer message;
        long number = lastNumber.incrementAndGet();
        message = RequestFormat.write(new Message.Forwarded(number, request));
        if (message.remaining() >= Network.MAX_MESSAGE_BYTES) {
            refuse(
                    request,
                    sink,
                    ErrorCode.FRAME_TOO_LARGE,
                    "the request is too long to be forwarded to " + node + "; send less at once");
            return;
        }
        pending.put(number, new Pending(node, request, sink));
        forwarded.incrementAndGet();
        if (!channel.send(node, message) && pending.remove(number) != null) {
            refuse(
                    request,
                    sink,
                    ErrorCode.NOT_CONNECTED,
                    node + ", which serves " + partition
                            + ", is not reached at the moment; the request had no effect, send it again");
        } else if (sink.isGone()) { // and may have gone before the request was among those that wait
            channel.send(node, RequestFormat.write(new Message.Departed(number)));
        }
    }

    /**
     * Tells the other nodes that this one broke and is about to end. Requests that they forwarded here, or had executed
     * here, may be the cause, and must not be sent to the next node. For the last moment of a process, on any thread.
     */
    public void breakOff() {
        for (NodeId node : clientAddresses.keySet()) {
            if (!node.equals(channel.self())) {
                channel.send(node, RequestFormat.write(new Message.Breaking()));
            }
        }
    }

    /** Whether the node said that it broke, in the session that is or was the last with it. */
    public boolean isBroken(NodeId node) {
        return broken.contains(node);
    }

    /**
     * Tells the node that the request with the handle went to that it shall end; of any other request nothing is done.
     */
    public void cancel(long clientId, long requestId) {
        new TreeMap<>(pending).forEach((number, waiting) -> {
            if (waiting.request.clientId() == clientId && waiting.request.requestId() == requestId) {
                channel.send(waiting.node, RequestFormat.write(new Message.Cancel(number)));
            }
        });
    }

    /** Tells the node to end the statement of its session with the key. */
    public void cancelSession(NodeId node, int process, int secret) {
        channel.send(node, RequestFormat.write(new Message.CancelSession(process, secret)));
    }

    /** Tells the nodes that requests of the sink went to that their client is gone. */
    public void departed(ResponseSink sink) {
        new TreeMap<>(pending).forEach((number, waiting) -> {
            if (waiting.sink.isOf(sink)) {
                channel.send(waiting.node, RequestFormat.write(new Message.Departed(number)));
            }
        });
    }

    private static void refuse(TransactionRequest request, ResponseSink sink, ErrorCode code, String why) {
        answer(request, sink, new TransactionResponse.Failed(code, why));
    }

    private static void answer(TransactionRequest request, ResponseSink sink, TransactionResponse response) {
        sink.respond(request, response);
        sink.flush();
    }

    private void received(NodeId from, ByteBuffer in) {
        switch (RequestFormat.read(in)) {
            case Message.Forwarded(long number, TransactionRequest request) -> {
                BackTo back = new BackTo(from, number, request);
                TransactionRouter executing = router;
                if (executing == null) {
                    refuse(
                            request,
                            back,
                            ErrorCode.NOT_CONNECTED,
                            "the node that serves the partition is starting;"
                                    + " the request had no effect, send it again");
                } else if (!back.reserve(request, REQUEST_BYTES + request.bytes())) {
                    FulmarException busy = underWay.refuse();
                    refuse(request, back, busy.code(), String.valueOf(busy.getMessage()));
                } else {
                    received.put(new Origin(from, number), back);
                    executing.submit(request, back);
                }
            }
            case Message.Cancel(long number) -> {
                BackTo back = received.get(new Origin(from, number));
                TransactionRouter executing = router;
                if (back != null && executing != null) {
                    executing.cancel(back.request.clientId(), back.request.requestId());
                }
            }
            case Message.Departed(long number) -> {
                BackTo back = received.get(new Origin(from, number));
                TransactionRouter executing = router;
                if (back != null && executing != null) {
                    back.isGone = true;
                    executing.departed(back);
                }
            }
            case Message.Answered(long number, TransactionResponse response) -> answered(from, number, response);
            case Message.CancelSession(int process, int secret) -> cancels.cancel(process, secret);
            case Message.Breaking() -> broken.add(from);
            case Message.Introduction(String address) ->
                clientAddresses.put(from, HostAddress.parse(address).toString());
        }
    }

    private void answered(NodeId from, long number, TransactionResponse response) {
        Pending waiting = pending.get(number);
        if (waiting == null) {
            return; // its session ended before, and it was told so
        }
        if (!waiting.node.equals(from)) {
            throw new FulmarException(
                    ErrorCode.MALFORMED_REQUEST, "a node answered a request that went to " + waiting.node);
        }
        if (pending.remove(number, waiting)) {
            answer(waiting.request, waiting.sink, response);
        }
    }

    /** Sends the answer where the request came from. */
    private final class BackTo implements ResponseSink {
        private final NodeId node;
        private final long number;
        private final TransactionRequest request;
        private final AtomicLong heldBytes = new AtomicLong();
        private volatile boolean isGone;

        BackTo(NodeId node, long number, TransactionRequest request) {
            this.node = node;
            this.number = number;
            this.request = request;
        }

        @Override
        public boolean isGone() {
            return isGone;
        }

        @Override
        public boolean isOfNode() {
            return true;
        }

        @Override
        public boolean reserve(TransactionRequest request, long bytes) {
            boolean isThere = underWay.take(bytes);
            if (isThere) {
                heldBytes.addAndGet(bytes);
            }
            return isThere;
        }

        @Override
        public void respond(TransactionRequest request, TransactionResponse answer) {
            send(answer);
            underWay.giveBack(heldBytes.getAndSet(0));
        }

        private void send(TransactionResponse answer) {
            received.remove(new Origin(node, number));
            TransactionResponse response = isStopping(answer)
                    ? new TransactionResponse.Failed(
                            ErrorCode.NOT_CONNECTED,
                            "the node that serves the partition is stopping; the request had no effect, send it again")
                    : answer;
            ByteBuffer message = RequestFormat.write(new Message.Answered(number, response));
            if (message.remaining() >= Network.MAX_MESSAGE_BYTES) {
                message = RequestFormat.write(new Message.Answered(
                        number,
                        new TransactionResponse.Failed(
                                ErrorCode.RESULT_TOO_LARGE,
                                "the transaction is committed, but its results are too long to be sent from node to node;"
                                        + " return less")));
            }
            channel.send(node, message);
        }
    }

    /** Whether the answer says that its node stops; a client would take that for the node to which it is connected. */
    private static boolean isStopping(TransactionResponse answer) {
        return answer instanceof TransactionResponse.Failed failed && failed.code() == ErrorCode.NODE_STOPPING;
    }

    private final class Sessions implements Network.LinkListener {
        @Override
        public void linkUp(NodeId node) {
            broken.remove(node);
            channel.send(node, RequestFormat.write(new Message.Introduction(clientAddress)));
        }

        @Override
        public void linkLost(NodeId node) {
            clientAddresses.remove(node);
            new TreeMap<>(pending).forEach((number, waiting) -> {
                if (waiting.node.equals(node) && pending.remove(number, waiting)) {
                    lost.incrementAndGet();
                    if (isBroken(node)) {
                        refuse(
                                waiting.request,
                                waiting.sink,
                                ErrorCode.NODE_BROKEN,
                                node
                                        + " broke and ended itself while it had the request, which may be why: it is not sent to another node; it"
                                        + " may have taken effect, read the data to find out");
                    } else {
                        answer(
                                waiting.request,
                                waiting.sink,
                                new TransactionResponse.Failed(
                                        ErrorCode.NODE_LOST,
                                        "the link to " + node + " broke before it answered; send the request again with"
                                                + " the same handle, or read the data to find out",
                                        node));
                    }
                }
            });
        }
    }
}
