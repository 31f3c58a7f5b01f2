package dev.fulmar.it.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The examples of a page of the documentation: what is fenced as {@code sql}. Each statement ends with a semicolon at
 * the end of a line; the lines behind it that begin with {@code -->} are its answer.
 *
 * @param steps in the page's order
 * @param others what is fenced without being an example
 */
record DocumentedExamples(List<Step> steps, List<String> others) {
    private static final String FENCE = "```";
    private static final String EXAMPLE = "```sql";
    private static final String ANSWER = "-->";

    /**
     * A statement.
     *
     * @param line where it begins on the page, from 1
     */
    record Step(int line, String statement, List<String> answer) {}

    static DocumentedExamples of(Path page) throws IOException {
        List<Step> steps = new ArrayList<>();
        List<String> others = new ArrayList<>();
        List<String> lines = Files.readAllLines(page);
        int at = 0;
        while (at < lines.size()) {
            if (lines.get(at).startsWith(FENCE)) {
                int end = at + 1;
                while (!lines.get(end).equals(FENCE)) {
                    end++;
                }
                List<String> block = lines.subList(at + 1, end);
                if (lines.get(at).equals(EXAMPLE)) {
                    read(block, at + 2, steps);
                } else {
                    others.add(String.join("\n", block));
                }
                at = end;
            }
            at++;
        }
        return new DocumentedExamples(List.copyOf(steps), List.copyOf(others));
    }

    private static void read(List<String> block, int firstLine, List<Step> steps) {
        int at = 0;
        while (at < block.size()) {
            int start = at;
            while (!block.get(at).endsWith(";")) {
                at++;
            }
            String text = String.join("\n", block.subList(start, ++at));
            List<String> answer = new ArrayList<>();
            while (at < block.size() && block.get(at).startsWith(ANSWER)) {
                answer.add(block.get(at++).substring(ANSWER.length() + 1));
            }
            steps.add(new Step(firstLine + start, text.substring(0, text.length() - 1), List.copyOf(answer)));
        }
    }
}
