package dev.fulmar.simulator.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Ledger of finished chapters, a line each in a file, so that a campaign can end and go on. A chapter in it is counted
 * and not run again.
 */
final class ChaosLedger {
    private static final char SEPARATOR = '\t';

    /** Begins each line. Chapters without it had clients without sessions, and run again. */
    private static final String FORM = "2" + SEPARATOR;

    private final @Nullable Path file;
    private final Map<String, ChaosTally> told = new TreeMap<>();

    private ChaosLedger(@Nullable Path file) {
        this.file = file;
    }

    /**
     * Reads what there is.
     *
     * @param file null to keep nothing
     */
    static ChaosLedger open(@Nullable Path file) throws IOException {
        ChaosLedger ledger = new ChaosLedger(file);
        if (file != null && Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(FORM)) {
                    int end = line.indexOf(SEPARATOR, FORM.length());
                    ledger.told.put(line.substring(FORM.length(), end), ChaosTally.of(line.substring(end + 1)));
                }
            }
        }
        return ledger;
    }

    /** The tally of a finished chapter; null if it has not run. */
    @Nullable ChaosTally of(String chapter) {
        return told.get(chapter);
    }

    /** The chapter was told to its end, or broke. */
    void add(String chapter, ChaosTally tally) throws IOException {
        told.put(chapter, tally);
        if (file != null) {
            Files.writeString(
                    file,
                    FORM + chapter + SEPARATOR + tally.line() + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }
}
