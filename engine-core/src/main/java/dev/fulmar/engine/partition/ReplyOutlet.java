package dev.fulmar.engine.partition;

/** The way out of a partition's replies: the batch of the site that runs it. For the partition's thread. */
public final class ReplyOutlet {
    private ReplyBatch replies;

    /** @param replies of the partition's first site */
    public ReplyOutlet(ReplyBatch replies) {
        this.replies = replies;
    }

    /** The batch of the site that runs the partition now. */
    public ReplyBatch replies() {
        return replies;
    }

    /** The partition is run by another site from now on. */
    void moveTo(ReplyBatch other) {
        replies = other;
    }
}
