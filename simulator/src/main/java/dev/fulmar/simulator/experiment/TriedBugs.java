package dev.fulmar.simulator.experiment;

import dev.fulmar.simulator.mutation.MutatedCampaign.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came of planted bugs, a line each in a file: what was tried on the same code in the same way is not tried again, so an experiment that was ended goes on. A line
 * that was not written whole is passed over. Thread-safe.
 */
final class TriedBugs {
    private static final String SEPARATOR = "\t";
    private static final int COLUMNS = 7;

    private final @Nullable Path file;
    private final String way;
    private final Map<String, Outcome> tried = new HashMap<>();

    /**
     * @param directory of the file; null to keep nothing
     * @param way fingerprint of the code, and how much of it is run
     */
    TriedBugs(@Nullable Path directory, String experiment, String way) throws IOException {
        this.file =
                directory == null ? null : Files.createDirectories(directory).resolve(experiment + ".tsv");
        this.way = way;
        if (file != null && Files.exists(file)) {
            Files.readAllLines(file).forEach(this::read);
        }
    }

    private void read(String line) {
        List<String> columns = List.of(line.split(SEPARATOR, -1));
        if (columns.size() == COLUMNS
                && columns.getFirst().equals(way)
                && columns.getLast().equals("end")) {
            tried.put(
                    columns.get(1),
                    new Outcome(
                            Boolean.parseBoolean(columns.get(2)),
                            Long.parseLong(columns.get(3)),
                            Double.parseDouble(columns.get(4)),
                            columns.get(5)));
        }
    }

    /** What came of the bug; null if it was not tried. */
    synchronized @Nullable Outcome of(String bug) {
        return tried.get(bug);
    }

    /** The bug was tried. */
    synchronized void add(String bug, Outcome outcome) throws IOException {
        tried.put(bug, outcome);
        if (file != null) {
            String line = String.join(
                    SEPARATOR,
                    way,
                    bug,
                    Boolean.toString(outcome.found()),
                    Long.toString(outcome.seeds()),
                    Double.toString(outcome.seconds()),
                    outcome.evidence().replaceAll("\\s", " "),
                    "end");
            Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }
}
