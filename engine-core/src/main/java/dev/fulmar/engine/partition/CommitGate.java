package dev.fulmar.engine.partition;

/** Holds back what leaves a partition until everything that it depends on is durable and replicated. */
public interface CommitGate {
    /** Lets the message out, in order, once the log up to the position is safe. */
    void hold(Partition partition, long logPosition, Departure departure);

    /** Something that leaves a partition: a reply or a vote. */
    interface Departure {
        /** Goes out now. */
        void leave(ReplyBatch replies);
    }

    /** Lets everything out at once, for a database without durability. */
    static CommitGate open(ReplyBatch replies) {
        return (partition, logPosition, departure) -> departure.leave(replies);
    }
}
