package dev.fulmar.coordinator.cluster;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Multiplexer of the channels over one network. Each channel is a network of its own, with a receiver and a listener of
 * its own; all are told of the same sessions. Receivers and listeners are installed before the network reaches anybody.
 * A receiver refuses what it cannot read by throwing: then the session ends, and so it does if no receiver takes the
 * channel.
 */
public final class NodeMessages {
    private final Network network;
    private final AtomicReferenceArray<Channel> channels = new AtomicReferenceArray<>(NodeChannel.values().length);
    private final Set<NodeId> linked = new ConcurrentSkipListSet<>();

    /** @param network whose receiver and listener this object becomes */
    public NodeMessages(Network network) {
        this.network = network;
        for (NodeChannel channel : NodeChannel.values()) {
            channels.set(channel.ordinal(), new Channel(channel.number()));
        }
        network.onMessage(this::received);
        network.onLink(new Sessions());
    }

    public NodeId self() {
        return network.self();
    }

    /** The channel's own network. Its messages begin after the channel's number. */
    public Network on(NodeChannel channel) {
        return channels.get(channel.ordinal());
    }

    /** The nodes with which there is a session now, ascending. */
    public Set<NodeId> linked() {
        return Set.copyOf(linked);
    }

    /** Whether there is a session with the node now; with itself there always is. */
    public boolean isLinked(NodeId node) {
        return node.equals(network.self()) || linked.contains(node);
    }

    private void received(NodeId from, ByteBuffer message) {
        NodeChannel channel = message.hasRemaining() ? NodeChannel.numbered(message.get()) : null;
        Network.Receiver receiver = channel == null ? null : channels.get(channel.ordinal()).receiver;
        if (receiver == null) {
            network.endSession(from, "it sent a message of a kind that is not known here");
            return;
        }
        try {
            receiver.received(from, message);
        } catch (FulmarException e) {
            String reason = e.getMessage();
            network.endSession(from, reason == null ? e.toString() : reason);
        }
    }

    /** Tells all channels. */
    private final class Sessions implements Network.LinkListener {
        @Override
        public void linkUp(NodeId node) {
            linked.add(node);
            for (int i = 0; i < channels.length(); i++) {
                Network.LinkListener listener = channels.get(i).listener;
                if (listener != null) {
                    listener.linkUp(node);
                }
            }
        }

        @Override
        public void linkLost(NodeId node) {
            linked.remove(node);
            for (int i = 0; i < channels.length(); i++) {
                Network.LinkListener listener = channels.get(i).listener;
                if (listener != null) {
                    listener.linkLost(node);
                }
            }
        }

        @Override
        public void linkFree(NodeId node) {
            for (int i = 0; i < channels.length(); i++) {
                Network.LinkListener listener = channels.get(i).listener;
                if (listener != null) {
                    listener.linkFree(node);
                }
            }
        }
    }

    /** The network as one channel sees it. */
    private final class Channel implements Network {
        private final byte number;
        private volatile @Nullable Receiver receiver;
        private volatile @Nullable LinkListener listener;

        Channel(byte number) {
            this.number = number;
        }

        @Override
        public NodeId self() {
            return network.self();
        }

        @Override
        public boolean send(NodeId to, ByteBuffer... parts) {
            ByteBuffer[] all = new ByteBuffer[parts.length + 1];
            all[0] = ByteBuffer.wrap(new byte[] {number});
            System.arraycopy(parts, 0, all, 1, parts.length);
            return network.send(to, all);
        }

        @Override
        public boolean isBusy(NodeId to) {
            return network.isBusy(to);
        }

        @Override
        public void endSession(NodeId node, String reason) {
            network.endSession(node, reason);
        }

        @Override
        public void onMessage(Receiver newReceiver) {
            receiver = newReceiver;
        }

        @Override
        public void onLink(LinkListener newListener) {
            listener = newListener;
        }
    }
}
