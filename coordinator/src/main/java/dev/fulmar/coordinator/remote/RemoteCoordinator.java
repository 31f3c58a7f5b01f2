package dev.fulmar.coordinator.remote;

import dev.fulmar.engine.partition.CoordinatorMessage;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentReply;
import dev.fulmar.engine.partition.CoordinatorMessage.InDoubt;
import dev.fulmar.engine.partition.CoordinatorPort;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.List;

/**
 * Proxy, at a partition, for a coordinator on another node. If that cannot be reached the session's end will be told,
 * which is enough.
 */
record RemoteCoordinator(NodeId node, TransactionId transaction, Post post, InDoubtParticipants inDoubtParticipants)
        implements CoordinatorPort {
    @Override
    public void deliver(CoordinatorMessage message) {
        if (message instanceof InDoubt doubt) {
            PartitionId base = doubt.base();
            if (base != null) {
                inDoubtParticipants.add(new PartKey(transaction, doubt.attempt(), doubt.partition()), base);
            }
            return;
        }
        Post.Fate fate = post.send(node, new RemoteMessage.Report(transaction, message));
        if (fate == Post.Fate.TOO_LARGE && message instanceof FragmentReply reply) {
            post.send(node, new RemoteMessage.Report(transaction, withoutRows(reply)));
        }
    }

    /** The statements ran here; that one of them failed makes the coordinator undo them. */
    private static FragmentReply withoutRows(FragmentReply reply) {
        return new FragmentReply(
                reply.partition(),
                reply.attempt(),
                List.of(),
                reply.changed(),
                new FragmentFailure(
                        0,
                        ErrorCode.RESULT_TOO_LARGE,
                        "partition " + reply.partition() + " yields more than " + NodeSender.MAX_MESSAGE_BYTES
                                + " bytes for one batch; read less at once"),
                reply.clock(),
                reply.held());
    }
}
