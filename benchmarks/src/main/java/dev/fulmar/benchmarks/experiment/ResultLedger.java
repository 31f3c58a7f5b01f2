package dev.fulmar.benchmarks.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Results of an experiment that can be ended and resumed, a line each in a file. A line has the way in which the result
 * was found, its columns, and "end". A line of another way, or one that was not written whole, is passed over. For one
 * thread at a time, and one process.
 */
public final class ResultLedger {
    private static final String SEPARATOR = "\t";
    private static final String END = "end";

    private final @Nullable Path file;
    private final String way;
    private final int columns;

    /**
     * @param directory of the file; null to keep nothing
     * @param way fingerprint of the code, and how much of it is run
     * @param columns how many a result has
     */
    public ResultLedger(@Nullable Path directory, String experiment, String way, int columns) throws IOException {
        this.file =
                directory == null ? null : Files.createDirectories(directory).resolve(experiment + ".tsv");
        this.way = way;
        this.columns = columns;
    }

    /** The columns of all results that were found in this way. */
    public List<List<String>> lines() throws IOException {
        List<List<String>> lines = new ArrayList<>();
        if (file != null && Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                List<String> all = List.of(line.split(SEPARATOR, -1));
                if (all.size() == columns + 2
                        && all.getFirst().equals(way)
                        && all.getLast().equals(END)) {
                    lines.add(all.subList(1, columns + 1));
                }
            }
        }
        return lines;
    }

    /** Adds a result; white space within a column becomes blanks. */
    public void add(List<String> result) throws IOException {
        if (result.size() != columns) {
            throw new IllegalArgumentException("a result has " + columns + " columns, not " + result.size());
        }
        if (file != null) {
            StringBuilder line = new StringBuilder();
            if (isTorn(file)) {
                line.append('\n'); // what comes now is not to be lost with it
            }
            line.append(way);
            result.forEach(column -> line.append(SEPARATOR).append(column.replaceAll("\\s", " ")));
            line.append(SEPARATOR).append(END).append('\n');
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    /** Whether the last line was not written whole. */
    private static boolean isTorn(Path file) throws IOException {
        return Files.exists(file)
                && Files.size(file) > 0
                && !Files.readString(file).endsWith("\n");
    }
}
