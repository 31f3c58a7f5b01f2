package dev.fulmar.benchmarks.experiment;

import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.pmemlog.checkpoint.CheckpointCounters;
import dev.fulmar.pmemlog.log.LogCounters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Bytes that a durable database of this process has written so far, by component.
 *
 * @param records of the operation log
 * @param logFrame headers of groups, padding and seals
 * @param preparation zeros and headers of new segments, and the control file
 * @param checkpointLog the newest images of dirty rows
 * @param master rows written straight or back
 * @param masterZeros with which the master heap grew
 * @param device what the kernel counts for the whole device, whoever wrote it
 * @param pages what the kernel counts for this process: pages, each time one becomes dirty
 * @param fences synchronous writes of the log
 * @param commits records of the log, one for each commit of one partition
 * @param images rows put into checkpoints
 * @param straight of these, those that are in the master heap and in no checkpoint log
 */
record WrittenBytes(
        long records,
        long logFrame,
        long preparation,
        long checkpointLog,
        long master,
        long masterZeros,
        long superblock,
        long device,
        long pages,
        long fences,
        long commits,
        long images,
        long straight) {

    /** @param directory on the device that is counted */
    static WrittenBytes of(Durability durability, Path directory) throws IOException {
        WrittenSectors kernel = WrittenSectors.of(directory);
        LogCounters log = durability.counters();
        CheckpointCounters checkpoints = checkpoints(durability);
        return new WrittenBytes(
                log.recordBytes(),
                log.writtenBytes() - log.recordBytes(),
                log.preparedBytes(),
                checkpoints.clogBytes(),
                checkpoints.masterBytes(),
                checkpoints.masterZeroBytes(),
                checkpoints.superblockBytes(),
                kernel.device(),
                kernel.process(),
                log.fences(),
                log.records(),
                checkpoints.rowImages(),
                checkpoints.writtenStraight());
    }

    static CheckpointCounters checkpoints(Durability durability) {
        var taken = durability.checkpoints();
        if (taken == null) {
            throw new IllegalStateException("the database takes no checkpoints");
        }
        return taken.counters();
    }

    WrittenBytes since(WrittenBytes earlier) {
        return new WrittenBytes(
                records - earlier.records,
                logFrame - earlier.logFrame,
                preparation - earlier.preparation,
                checkpointLog - earlier.checkpointLog,
                master - earlier.master,
                masterZeros - earlier.masterZeros,
                superblock - earlier.superblock,
                device - earlier.device,
                pages - earlier.pages,
                fences - earlier.fences,
                commits - earlier.commits,
                images - earlier.images,
                straight - earlier.straight);
    }

    /** All that the database handed to the operating system. */
    long total() {
        return records + logFrame + preparation + checkpointLog + master + masterZeros + superblock;
    }

    /** Each component for each byte of the user's. */
    Map<String, Double> per(double userBytes) {
        Map<String, Double> shares = new LinkedHashMap<>();
        shares.put("records", records / userBytes);
        shares.put("logFrame", logFrame / userBytes);
        shares.put("preparation", preparation / userBytes);
        shares.put("checkpointLog", checkpointLog / userBytes);
        shares.put("master", master / userBytes);
        shares.put("masterZeros", masterZeros / userBytes);
        shares.put("superblock", superblock / userBytes);
        shares.put("total", total() / userBytes);
        shares.put("device", device / userBytes);
        shares.put("dirtiedPages", pages / userBytes);
        return shares;
    }
}
