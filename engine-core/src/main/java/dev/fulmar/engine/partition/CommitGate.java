package dev.fulmar.engine.partition;

import dev.fulmar.foundation.error.FulmarException;

/**
 * Holds back replies and votes of a partition until everything that they depend on is durable and replicated. Called on
 * the partition's thread.
 */
public interface CommitGate {
    /** Lets a reply out, in order, once the log up to the position is safe. */
    void hold(Partition partition, long logPosition, GatedReply gatedReply);

    /** Lets out at once a message that tells nothing of the data. */
    void letOut(GatedReply gatedReply);

    /**
     * Lets out a vote, or the notice that a decision is safe, once the log up to the position is durable. It does so in
     * order, and in every mode.
     */
    void holdVote(Partition partition, long logPosition, GatedReply gatedReply);

    /** Lets out messages that may go now, and notifies those that never may; returns how many. */
    int release(Partition partition);

    /** A message that leaves a partition: a reply or a vote. */
    interface GatedReply {
        /** Goes out now. */
        void leave(ReplyBatch replies);

        /** Can never go out as it is, for it is unknown whether the data that it tells of is durable. */
        default void lost(FulmarException cause, ReplyBatch replies) {}
    }

    /** Lets everything out at once, for a database without durability. */
    static CommitGate open(ReplyOutlet outlet) {
        return new CommitGate() {
            @Override
            public void hold(Partition partition, long logPosition, GatedReply gatedReply) {
                gatedReply.leave(outlet.replies());
            }

            @Override
            public void letOut(GatedReply gatedReply) {
                gatedReply.leave(outlet.replies());
            }

            @Override
            public void holdVote(Partition partition, long logPosition, GatedReply gatedReply) {
                gatedReply.leave(outlet.replies());
            }

            @Override
            public int release(Partition partition) {
                return 0;
            }
        };
    }
}
