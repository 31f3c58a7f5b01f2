package dev.fulmar.benchmarks.experiment;

import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.pmemlog.checkpoint.CheckpointCounters;
import dev.fulmar.pmemlog.log.LogCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a durable database of this process has written so far, by component.
 *
 * @param records of the operation log
 * @param logFrame headers of groups, padding and seals
 * @param preparation zeros and headers of new segments, and the control file
 * @param checkpointLog the newest images of dirty rows
 * @param master rows written back
 * @param masterZeros with which the master heap grew
 * @param device what the kernel counts for this process: whole pages, once for each time that a page became dirty
 * @param fences synchronous writes of the log
 * @param commits records of the log, one for each commit of one partition
 * @param images rows put into checkpoint logs
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
        long fences,
        long commits,
        long images) {

    static WrittenBytes of(Durability durability) throws IOException {
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
                deviceBytes(),
                log.fences(),
                log.records(),
                checkpoints.rowImages());
    }

    static CheckpointCounters checkpoints(Durability durability) {
        var taken = durability.checkpoints();
        if (taken == null) {
            throw new IllegalStateException("the database takes no checkpoints");
        }
        return taken.counters();
    }

    /** Bytes that this process caused to be sent to the device, as the kernel counts. */
    private static long deviceBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/io"))) {
            if (line.startsWith("write_bytes: ")) {
                return Long.parseLong(line.substring("write_bytes: ".length()));
            }
        }
        throw new IOException("/proc/self/io does not tell the bytes written");
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
                fences - earlier.fences,
                commits - earlier.commits,
                images - earlier.images);
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
        return shares;
    }
}
