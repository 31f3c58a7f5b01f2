package dev.fulmar.pmemlog.log;

/**
 * The durable part of a log.
 *
 * @param firstSegment the first segment that a recovery may need
 * @param lastSegment the segment that is being written
 * @param offset where in it the last durable group ends
 */
public record DurableEnd(long firstSegment, long lastSegment, int offset) {}
