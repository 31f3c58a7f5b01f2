package dev.fulmar.pmemlog.recovery;

import dev.fulmar.pmemlog.record.RecordReader;

/** Takes the records of a log. */
@FunctionalInterface
public interface RecordHandler {
    /**
     * The next record.
     *
     * @param record valid during the call
     * @param segment number of the segment that the record is in
     * @param offset where in the segment it begins
     */
    void record(RecordReader record, long segment, int offset);
}
