package dev.fulmar.benchmarks.moving;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Bytes that nodes have handed to the operating system for their data directories so far, by component.
 *
 * @param log groups of the operation log, with headers, padding and seals
 * @param preparation zeros and headers of new segments of it
 * @param checkpointLog images of changed rows
 * @param master rows in master heaps
 * @param masterZeros with which master heaps grew
 * @param unwritten changed rows that are still to go to a checkpoint, roughly
 * @param pages what the kernel counts for the processes: pages, each time one becomes dirty
 */
record NodeWrites(
        long log,
        long preparation,
        long checkpointLog,
        long master,
        long masterZeros,
        long superblock,
        long unwritten,
        long pages) {
    private static final NodeWrites NOTHING = new NodeWrites(0, 0, 0, 0, 0, 0, 0, 0);

    /** @param clients of a single node each, in the order of the processes */
    static NodeWrites of(List<FulmarClient> clients, List<Long> processes) throws IOException {
        NodeWrites sum = NOTHING;
        for (int node = 0; node < clients.size(); node++) {
            sum = sum.plus(of(clients.get(node), processes.get(node)));
        }
        return sum;
    }

    private static NodeWrites of(FulmarClient client, long process) throws IOException {
        ResultTable log = client.call("@Statistics", "LOG").table().first();
        ResultTable checkpoint =
                client.call("@Statistics", "CHECKPOINT").table().first();
        return new NodeWrites(
                log.getLong(log.column("WRITTEN_BYTES")),
                log.getLong(log.column("PREPARED_BYTES")),
                checkpoint.getLong(checkpoint.column("CLOG_BYTES")),
                checkpoint.getLong(checkpoint.column("MASTER_BYTES")),
                checkpoint.getLong(checkpoint.column("MASTER_ZERO_BYTES")),
                checkpoint.getLong(checkpoint.column("SUPERBLOCK_BYTES")),
                checkpoint.getLong(checkpoint.column("DIRTY_BYTES")),
                pageBytes(Files.readAllLines(Path.of("/proc", Long.toString(process), "io"))));
    }

    /** @param lines of {@code /proc/N/io} */
    static long pageBytes(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("write_bytes:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the kernel does not tell the bytes written"));
    }

    private NodeWrites plus(NodeWrites other) {
        return new NodeWrites(
                log + other.log,
                preparation + other.preparation,
                checkpointLog + other.checkpointLog,
                master + other.master,
                masterZeros + other.masterZeros,
                superblock + other.superblock,
                unwritten + other.unwritten,
                pages + other.pages);
    }

    NodeWrites since(NodeWrites earlier) {
        return new NodeWrites(
                log - earlier.log,
                preparation - earlier.preparation,
                checkpointLog - earlier.checkpointLog,
                master - earlier.master,
                masterZeros - earlier.masterZeros,
                superblock - earlier.superblock,
                unwritten - earlier.unwritten,
                pages - earlier.pages);
    }

    /** All that the nodes handed to the operating system, or are to hand to it. */
    long total() {
        return log + preparation + checkpointLog + master + masterZeros + superblock + unwritten;
    }
}
