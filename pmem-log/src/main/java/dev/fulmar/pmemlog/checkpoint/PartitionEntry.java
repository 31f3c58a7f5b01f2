package dev.fulmar.pmemlog.checkpoint;

/**
 * The superblock's entry of a partition.
 *
 * @param checkpoint number of its last checkpoint, from 1; 0 if it has none
 * @param position up to where that goes
 * @param firstSegment first segment of its checkpoint log
 * @param firstGroup number of the first group in that segment
 * @param lastSegment segment with the last group
 * @param endOffset where in that segment the last group ends
 * @param lastGroup number of the last group, 0 if there is none
 */
record PartitionEntry(
        long checkpoint,
        CheckpointPosition position,
        long firstSegment,
        long firstGroup,
        long lastSegment,
        int endOffset,
        long lastGroup) {
    /** Of a partition without a checkpoint. */
    static final PartitionEntry NONE = new PartitionEntry(0, CheckpointPosition.START, 1, 1, 1, 0, 0);
}
