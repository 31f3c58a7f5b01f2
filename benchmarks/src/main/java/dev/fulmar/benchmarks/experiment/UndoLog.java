package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.timestone.UndoLogProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the bytes that PMDK's undo log flushes per commit, which {@link WriteAmplification} compares with Fulmar's.
 * The commit is a transaction of LLPL's TransactionalHeap that overwrites one range of a row. Flushes are counted at
 * PMDK's calls of libpmem in a process that takes its memory for persistent.
 *
 * @param figures of each case
 * @param absent why there are none; empty if there are
 */
record UndoLog(List<Figures> figures, String absent) {
    private static final Map<String, String> PERSISTENT = Map.of("PMEM_IS_PMEM_FORCE", "1");

    UndoLog {
        figures = List.copyOf(figures);
    }

    /**
     * A range of a row.
     *
     * @param begin where the range begins in the row
     */
    record Range(int rowBytes, int begin, int rangeBytes) {
        private String argument() {
            return rowBytes + ":" + begin + ":" + rangeBytes;
        }
    }

    /**
     * Of one commit.
     *
     * @param bytes that were flushed
     * @param lineBytes the same in whole lines of 64 bytes
     */
    record Figures(double bytes, double lineBytes, double fences) {
        private static final Figures NONE = new Figures(Double.NaN, Double.NaN, Double.NaN);
        private static final int LINE_BYTES = 64;

        /** @param line commits, bytes, lines, fences */
        private static Figures parse(String line) {
            String[] words = line.split(" ");
            double commits = Double.parseDouble(words[0]);
            return new Figures(
                    Double.parseDouble(words[1]) / commits,
                    LINE_BYTES * Double.parseDouble(words[2]) / commits,
                    Double.parseDouble(words[3]) / commits);
        }

        Map<String, Object> asMap() {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("undoLogBytesOfACommit", bytes);
            map.put("undoLogBytesOfLinesOfACommit", lineBytes);
            map.put("undoLogFencesOfACommit", fences);
            return map;
        }
    }

    /** Figures of the case of the number: none are not a number, which meets no goal. */
    Figures of(int number) {
        return absent.isEmpty() ? figures.get(number) : Figures.NONE;
    }

    /** Runs and counts. */
    static UndoLog count(long seed, List<Range> ranges) throws IOException {
        try (TemporaryDirectory directory = TemporaryDirectory.create("fulmar-undo-log-")) {
            List<String> arguments = new ArrayList<>();
            arguments.add(directory.path().toString());
            arguments.add(Long.toString(seed));
            ranges.forEach(range -> arguments.add(range.argument()));
            try (JavaChild child = JavaChild.start(UndoLogProcess.class, List.of(), PERSISTENT, arguments)) {
                return parse(child.finish(), ranges.size());
            }
        }
    }

    /** Parses the output of the process, which was asked for so many cases. */
    static UndoLog parse(List<String> output, int cases) {
        List<Figures> figures = new ArrayList<>();
        for (String line : output) {
            if (line.startsWith(UndoLogProcess.COUNTED)) {
                figures.add(Figures.parse(line.substring(UndoLogProcess.COUNTED.length())));
            } else if (line.startsWith(UndoLogProcess.ABSENT)) {
                return new UndoLog(List.of(), line.substring(UndoLogProcess.ABSENT.length()));
            }
        }
        return figures.size() == cases
                ? new UndoLog(figures, "")
                : new UndoLog(List.of(), "the process of LLPL ended before it had counted");
    }
}
