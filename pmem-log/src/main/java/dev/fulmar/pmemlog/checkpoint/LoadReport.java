package dev.fulmar.pmemlog.checkpoint;

import java.util.List;

/**
 * Report of the load of a partition's checkpoint.
 *
 * @param position recovery replays the records after it
 * @param rows rows that were given
 * @param imageBytes bytes of their images
 * @param fromClog rows that came from the checkpoint log, and not from the master heap
 * @param repaired slots of the master heap that a crash had torn, each with file and offset; the checkpoint log has
 *     what belongs there
 */
public record LoadReport(
        CheckpointPosition position, long rows, long imageBytes, long fromClog, List<String> repaired) {}
