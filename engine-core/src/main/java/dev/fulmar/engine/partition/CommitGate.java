package dev.fulmar.engine.partition;

import dev.fulmar.foundation.error.FulmarException;

/**
 * Holds back what leaves a partition until everything that it depends on is durable and replicated. Called on the
 * partition's thread.
 */
public interface CommitGate {
    /** Lets a reply out, in order, once the log up to the position is safe. */
    void hold(Partition partition, long logPosition, GatedReply gatedReply);

    /** Lets out at once what tells nothing of the data. */
    void letOut(GatedReply gatedReply);

    /**
     * Lets a vote or the word that a decision is safe out, in order, once the log up to the position is durable, in
     * every mode.
     */
    void holdVote(Partition partition, long logPosition, GatedReply gatedReply);

    /** Lets out what may go now, and tells what is held if it never may; returns how many. */
    int release(Partition partition);

    /** Something that leaves a partition: a reply or a vote. */
    interface GatedReply {
        /** Goes out now. */
        void leave(ReplyBatch replies);

        /** Can never go out as it is, for nobody knows whether what it tells of is durable. */
        default void lost(FulmarException cause, ReplyBatch replies) {}
    }

    /** Lets everything out at once, for a database without durability. */
    static CommitGate open(ReplyBatch replies) {
        return new CommitGate() {
            @Override
            public void hold(Partition partition, long logPosition, GatedReply gatedReply) {
                gatedReply.leave(replies);
            }

            @Override
            public void letOut(GatedReply gatedReply) {
                gatedReply.leave(replies);
            }

            @Override
            public void holdVote(Partition partition, long logPosition, GatedReply gatedReply) {
                gatedReply.leave(replies);
            }

            @Override
            public int release(Partition partition) {
                return 0;
            }
        };
    }
}
