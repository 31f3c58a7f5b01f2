package dev.fulmar.foundation.network.real;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handler of one TCP connection that another node opened: checks that node's greeting, then delivers its messages. The
 * connection belongs to no node before its greeting has been checked.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a connection ends it, and its end is told
final class AcceptedLink extends LinkHandler {
    private static final Logger LOG = LoggerFactory.getLogger(AcceptedLink.class);

    private final TcpNetwork network;
    private @Nullable LinkPeer peer;

    AcceptedLink(TcpNetwork network) {
        this.network = network;
    }

    @Override
    boolean greeted(ChannelHandlerContext context, @Nullable Greeting greeting) {
        TcpNetwork.Membership own = network.membership();
        if (!(greeting instanceof Greeting.Hello hello) || own == null) {
            return refuse(
                    context,
                    greeting instanceof Greeting.Refusal(String reason)
                            ? reason
                            : own == null ? "it has not joined its cluster yet" : "that is no greeting");
        }
        LinkPeer known = network.peer(hello.from());
        if (!hello.clusterId().equals(own.clusterId())) {
            return refuse(context, "this is another cluster");
        }
        if (!hello.to().equals(network.self())) {
            return refuse(context, "this is " + network.self());
        }
        if (known == null) {
            return refuse(context, hello.from() + " is not known here as a member");
        }
        if (hello.incarnation() < known.incarnation()) {
            return refuse(context, "there is a younger process of " + hello.from());
        }
        if (hello.from().compareTo(network.self()) >= 0) {
            return refuse(context, "the node with the lower number connects");
        }
        String impostor = PeerCertificate.objection(context.channel(), known);
        if (impostor != null) {
            return refuse(context, impostor);
        }
        known.met(hello.incarnation());
        peer = known;
        write(context, new Greeting.Welcome(own.clusterId(), network.self(), hello.from(), own.incarnation()));
        network.open(known, context.channel(), this);
        return true;
    }

    private static boolean refuse(ChannelHandlerContext context, String reason) {
        LOG.info("connection from {} refused: {}", context.channel().remoteAddress(), reason);
        write(context, new Greeting.Refusal(reason)).addListener(ChannelFutureListener.CLOSE);
        return false;
    }

    @Override
    void received(ByteBuf message) {
        LinkPeer sender = peer;
        if (sender != null) {
            sender.received(message.readableBytes());
            network.deliver(sender.node, message.nioBuffer());
        }
    }

    @Override
    void ended(String reason) {
        LinkPeer sender = peer;
        if (sender != null) {
            network.ended(sender, this, reason);
        }
    }
}
