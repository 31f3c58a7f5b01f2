package dev.fulmar.pmemlog.recovery;

/**
 * Summary of a stream in a log.
 *
 * @param baseSequence sequence of the last record before the log's first of the stream; those up to it are gone
 * @param lastSequence sequence of the last record; the base's if there is none
 * @param epoch epoch of the last record
 * @param isCopy whether it began with a copy that came from another node; then only a checkpoint of that copy has what
 *     is before
 */
public record StreamSummary(long baseSequence, long lastSequence, int epoch, boolean isCopy) {
    /** Of a stream that did not begin elsewhere. */
    public StreamSummary(long baseSequence, long lastSequence, int epoch) {
        this(baseSequence, lastSequence, epoch, false);
    }
}
