package dev.fulmar.pmemlog.log;

/**
 * Where the durable part of a held log begins and ends, for an online backup that copies it.
 *
 * @param firstSegment the first segment that a recovery may need
 * @param lastSegment the segment that is being written
 * @param offset where in it the last durable group ends
 */
public record DurableEnd(long firstSegment, long lastSegment, int offset) {}
