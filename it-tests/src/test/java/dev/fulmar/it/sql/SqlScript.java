package dev.fulmar.it.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Statements with what they must answer. Blocks are divided by empty lines; a block is the statement, a line of four
 * dashes and the answer: rows with their values divided by {@code |}, {@code count n} of rows changed, or
 * {@code error CODE line:column}, the place being optional. A statement without an answer must succeed. Lines that
 * begin with {@code #} are comments.
 */
record SqlScript(List<Step> steps) {
    private static final String DASHES = "----";

    /** A statement and the lines of its answer, or none. */
    record Step(String statement, boolean answered, List<String> answer) {}

    static SqlScript read(Path file) throws IOException {
        List<Step> steps = new ArrayList<>();
        List<String> block = new ArrayList<>();
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        lines.add("");
        for (String line : lines) {
            if (line.startsWith("#")) {
                continue;
            }
            if (!line.isBlank()) {
                block.add(line);
            } else if (!block.isEmpty()) {
                steps.add(step(block));
                block.clear();
            }
        }
        return new SqlScript(List.copyOf(steps));
    }

    private static Step step(List<String> block) {
        int dashes = block.indexOf(DASHES);
        int end = dashes < 0 ? block.size() : dashes;
        String statement = String.join("\n", block.subList(0, end));
        List<String> answer = dashes < 0 ? List.of() : List.copyOf(block.subList(dashes + 1, block.size()));
        return new Step(statement, dashes >= 0, answer);
    }
}
