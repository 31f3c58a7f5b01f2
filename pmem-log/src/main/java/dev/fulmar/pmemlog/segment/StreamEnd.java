package dev.fulmar.pmemlog.segment;

/**
 * End of a stream: its last record.
 *
 * @param epoch epoch of the last record
 * @param sequence sequence of the last record, 0 before the first
 */
public record StreamEnd(int epoch, long sequence) {}
