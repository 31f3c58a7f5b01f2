package dev.fulmar.pmemlog.segment;

/**
 * Where a stream stands.
 *
 * @param epoch epoch of the last record
 * @param sequence sequence of the last record, 0 before the first
 */
public record StreamEnd(int epoch, long sequence) {}
