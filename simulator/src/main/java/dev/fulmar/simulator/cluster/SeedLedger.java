package dev.fulmar.simulator.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * Ledger of the seeds that were run, a line each in a file. A line has the code's fingerprint, the seed, virtual
 * seconds, commits, faults, the hash, and whether all was well. So hours of clusters add up over days and machines, as
 * long as the code stays the same.
 */
public final class SeedLedger {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double SECONDS_PER_HOUR = 3_600;
    private static final String SEPARATOR = ",";
    private static final int COLUMNS = 8;

    private final Path file;
    private final String fingerprint;

    /** @param fingerprint of the code whose runs are noted */
    public SeedLedger(Path file, String fingerprint) {
        this.file = file;
        this.fingerprint = fingerprint;
    }

    /** Sum of the runs of the code. */
    public record Sum(int seeds, int counting, int failed, double hours) {}

    /** Notes a run. */
    public void add(ClusterReport report) {
        String line = String.format(
                Locale.ROOT,
                "%s,%d,%.3f,%d,%d,%016x,%s,%s%n",
                fingerprint,
                report.seed(),
                report.virtualNanos() / NANOS_PER_SECOND,
                report.committed(),
                report.faults(),
                report.hash(),
                report.counts() ? "counts" : "void",
                report.isGood() ? "good" : "FAILED");
        try {
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sum of the ledger's runs of this code; a seed that was run several times counts once. */
    public Sum sum() {
        try {
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            TreeSet<String> seen = new TreeSet<>();
            int counting = 0;
            int failed = 0;
            double seconds = 0;
            for (String line : lines) {
                List<String> columns = List.of(line.split(SEPARATOR, -1));
                if (columns.size() == COLUMNS && columns.getFirst().equals(fingerprint) && seen.add(columns.get(1))) {
                    boolean counts = columns.get(6).equals("counts");
                    counting += counts ? 1 : 0;
                    seconds += counts ? Double.parseDouble(columns.get(2)) : 0;
                    failed += columns.get(7).equals("good") ? 0 : 1;
                }
            }
            return new Sum(seen.size(), counting, failed, seconds / SECONDS_PER_HOUR);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
