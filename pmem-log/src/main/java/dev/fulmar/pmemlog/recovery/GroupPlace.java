package dev.fulmar.pmemlog.recovery;

/**
 * Place of a group in the log.
 *
 * @param segment number of the segment
 * @param offset where in the segment it begins
 * @param bytes of the group without the padding to whole blocks
 */
public record GroupPlace(long segment, int offset, int bytes) {}
