package dev.fulmar.benchmarks.exhaustion;

import dev.fulmar.benchmarks.cluster.RunningCluster;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * The disk of the node's data fills up, and clients write until the log has no room. The node refuses what changes
 * data, and does not end: there is nothing that another start would mend.
 */
final class LogDiskShortage implements Shortage {
    /** The log has two segments of 64 MB from its beginning on. */
    private static final int DISK_MEBIBYTES = 160;

    private final SmallDisk disk = new SmallDisk(DISK_MEBIBYTES);
    private final BulkWriter writer;
    private volatile boolean isRefused;

    LogDiskShortage(BulkWriter writer) {
        this.writer = writer;
    }

    @Override
    public String name() {
        return "log-disk";
    }

    @Override
    public Optional<String> obstacle() {
        return SmallDisk.obstacle();
    }

    @Override
    public Set<Integer> statuses() {
        return Set.of();
    }

    @Override
    public void prepare(Path directory) throws IOException {
        disk.mount(Files.createDirectories(RunningCluster.placeOf(directory, 1)));
    }

    @Override
    public void begin(Victim victim) throws IOException {
        disk.fill();
    }

    @Override
    public void press(Victim victim) throws IOException {
        if (!disk.isFull()) {
            disk.fill();
        }
        isRefused |= writer.failures().contains(ErrorCode.DISK_FULL);
    }

    /** Clients were told, or the node says by itself that it waits for space. */
    @Override
    public boolean isReached(Victim victim) {
        if (isRefused) {
            return true;
        }
        try (FulmarClient client = victim.cluster().connect(victim.node(), 1, Judge.LIMIT)) {
            client.execute("UPDATE COUNTER SET VALUE = VALUE + 0");
            return false;
        } catch (FulmarException failed) {
            return failed.code() == ErrorCode.DISK_FULL;
        }
    }

    @Override
    public void end(Victim victim) throws IOException {
        disk.free(4);
    }

    @Override
    public void close() throws IOException {
        disk.close();
    }
}
