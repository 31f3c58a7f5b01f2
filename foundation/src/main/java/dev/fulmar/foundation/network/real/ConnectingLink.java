package dev.fulmar.foundation.network.real;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/**
 * Handler of one TCP connection that this node opens to another: sends a greeting, checks the reply, then delivers
 * messages. After a failure or a loss {@link TcpNetwork} tries again with a new one.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a connection ends it, and its end is told
final class ConnectingLink extends LinkHandler {
    private final TcpNetwork network;
    private final LinkPeer peer;
    private final Greeting.Hello hello;
    private boolean isOpen;
    private boolean isOver;

    ConnectingLink(TcpNetwork network, LinkPeer peer, Greeting.Hello hello) {
        this.network = network;
        this.peer = peer;
        this.hello = hello;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        write(context, hello);
        super.channelActive(context);
    }

    @Override
    boolean greeted(ChannelHandlerContext context, @Nullable Greeting greeting) {
        String objection = switch (greeting) {
            case Greeting.Welcome welcome -> objectionTo(welcome);
            case Greeting.Refusal(String reason) -> "it refuses: " + reason;
            case Greeting.Hello _ -> "it says hello where it should welcome";
            case null -> "what listens there is no node of Fulmar";
        };
        if (objection != null || peer.isForgotten || isOver) {
            breakOff(context, objection == null ? "it has left the cluster" : objection);
            return false;
        }
        peer.isConnecting = false;
        isOpen = true;
        network.open(peer, context.channel(), this);
        return true;
    }

    private @Nullable String objectionTo(Greeting.Welcome welcome) {
        if (!welcome.clusterId().equals(hello.clusterId())) {
            return "what listens there belongs to another cluster";
        }
        if (!welcome.from().equals(peer.node) || !welcome.to().equals(hello.from())) {
            return "what listens there is " + welcome.from();
        }
        if (welcome.incarnation() < peer.incarnation()) {
            return "what listens there is an older process";
        }
        peer.met(welcome.incarnation());
        return null;
    }

    @Override
    void received(ByteBuf message) {
        peer.received(message.readableBytes());
        network.deliver(peer.node, message.nioBuffer());
    }

    @Override
    void ended(String reason) {
        if (isOver) {
            return;
        }
        isOver = true;
        if (isOpen) {
            network.ended(peer, this, reason);
        } else {
            peer.isConnecting = false;
            network.failed(peer, reason);
        }
    }
}
