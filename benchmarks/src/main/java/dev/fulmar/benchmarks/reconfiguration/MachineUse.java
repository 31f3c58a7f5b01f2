package dev.fulmar.benchmarks.reconfiguration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Time of all processors of the machine so far, as Linux counts it.
 *
 * @param ticks in all
 * @param idleTicks of these in which a processor had nothing to do
 */
record MachineUse(long ticks, long idleTicks) {
    private static final Path STATUS = Path.of("/proc/stat");
    private static final int IDLE = 3;
    private static final int WAITING = 4;

    /** Times of guests are counted twice, in these columns and in earlier ones. */
    private static final int COLUMNS = 8;

    static MachineUse now() throws IOException {
        return parse(Files.readAllLines(STATUS).getFirst());
    }

    /** @param line the first one of {@code /proc/stat} */
    static MachineUse parse(String line) {
        long[] columns = Arrays.stream(line.strip().split("\\s+", -1))
                .skip(1)
                .limit(COLUMNS)
                .mapToLong(Long::parseLong)
                .toArray();
        return new MachineUse(Arrays.stream(columns).sum(), columns[IDLE] + columns[WAITING]);
    }

    /** Part of the processors' time since then that was used; a time too short to be counted counts as not used. */
    double since(MachineUse before) {
        long passed = ticks - before.ticks;
        return passed == 0 ? 0 : 1 - (double) (idleTicks - before.idleTicks) / passed;
    }
}
