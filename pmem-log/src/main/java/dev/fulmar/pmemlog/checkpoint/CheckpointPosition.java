package dev.fulmar.pmemlog.checkpoint;

/**
 * Up to where in its partition's history a checkpoint goes. It has the effects of every record up to here and of none
 * after.
 *
 * @param sequence sequence of the last record in the partition's stream, 0 for none
 * @param epoch epoch of that record
 * @param commitTimestamp timestamp of the last commit
 * @param catalogVersion version of the catalog that the partition ran with
 */
public record CheckpointPosition(long sequence, int epoch, long commitTimestamp, int catalogVersion) {
    /** Before everything. */
    public static final CheckpointPosition START = new CheckpointPosition(0, 0, 0, 0);
}
