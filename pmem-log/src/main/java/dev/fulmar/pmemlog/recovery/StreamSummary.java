package dev.fulmar.pmemlog.recovery;

/**
 * What a log has of a stream.
 *
 * @param baseSequence sequence of the last record before the log's first of the stream; those up to it are gone
 * @param lastSequence sequence of the last record; the base's if there is none
 * @param epoch epoch of the last record
 */
public record StreamSummary(long baseSequence, long lastSequence, int epoch) {}
