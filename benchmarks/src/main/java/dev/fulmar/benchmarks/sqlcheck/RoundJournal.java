package dev.fulmar.benchmarks.sqlcheck;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * A journal in a file, with a line for each finished round and its counts, so that an ended campaign goes on behind
 * them.
 */
final class RoundJournal {
    private final ObjectMapper json = new ObjectMapper();
    private final Path file;
    private final Set<Long> done = new HashSet<>();

    /** Content of a line. */
    record Line(long seed, Tally.Counts counts) {}

    private RoundJournal(Path file) {
        this.file = file;
    }

    /** Opens the file, or makes it; what its rounds counted is added to the tally. */
    static RoundJournal open(Path file, Tally tally) throws IOException {
        RoundJournal journal = new RoundJournal(file);
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                journal.read(line, tally);
            }
        }
        return journal;
    }

    /** A line that was cut off when the campaign was ended is a round that was not done. */
    private void read(String text, Tally tally) {
        Line line;
        try {
            line = json.readValue(text, Line.class);
        } catch (JsonProcessingException e) {
            return;
        }
        if (done.add(line.seed())) {
            tally.add(Tally.of(line.counts()));
        }
    }

    boolean isEmpty() {
        return done.isEmpty();
    }

    boolean has(long seed) {
        return done.contains(seed);
    }

    /** Begins with a new line, behind a line that may have been cut off. */
    void write(long seed, Tally tally) throws IOException {
        String text = "\n" + json.writeValueAsString(new Line(seed, tally.counts()));
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        done.add(seed);
    }
}
