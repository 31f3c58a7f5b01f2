package dev.fulmar.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Small files and small methods. What is larger stands in the ratchet file with its exact size, so that it cannot grow
 * unseen, and leaves the file as it shrinks.
 */
class SourceSizeTest {
    private static final int MAX_FILE_LINES = 600;
    private static final int MAX_METHOD_LINES = 59;
    private static final int MAX_COMMENT_COLUMNS = 120;
    private static final Pattern COMMENT = Pattern.compile("\\s*(\\*|/\\*|//).*|.*[;{,] // .*");
    private static final String RATCHET = "it-tests/size-ratchet.txt";

    @Test
    void largeSourcesAreThoseOfTheRatchetFile() throws IOException {
        SourceSizes sizes = SourceSizes.ofFiles(CodeBase.directory(), sources());
        Map<String, Integer> large = new TreeMap<>();
        large.putAll(larger(sizes.files(), MAX_FILE_LINES));
        large.putAll(larger(sizes.methods(), MAX_METHOD_LINES));
        assertThat(differences(large, Ratchet.read(RATCHET)))
                .as("files have at most %d lines, methods at most %d", MAX_FILE_LINES, MAX_METHOD_LINES)
                .isEmpty();
    }

    @Test
    void commentsEndWithinTheLine() throws IOException {
        List<String> wide = new ArrayList<>();
        for (Path source : sources()) {
            List<String> lines = Files.readAllLines(source);
            for (int i = 0; i < lines.size(); i++) {
                if (isWideComment(lines.get(i))) {
                    wide.add(CodeBase.directory().relativize(source) + ":" + (i + 1));
                }
            }
        }
        assertThat(wide)
                .as("comments have at most %d columns; the formatter does not wrap them", MAX_COMMENT_COLUMNS)
                .isEmpty();
    }

    @Test
    void codeIsNoComment() {
        String rest = "x".repeat(MAX_COMMENT_COLUMNS);
        assertThat(isWideComment("    String s = \"http://" + rest + "\";")).isFalse();
        assertThat(isWideComment("     * " + rest)).isTrue();
        assertThat(isWideComment("    // " + rest)).isTrue();
        assertThat(isWideComment("    run(); // " + rest)).isTrue();
        assertThat(isWideComment("/** " + rest.substring(7) + " */")).isFalse();
    }

    private static boolean isWideComment(String line) {
        return line.length() > MAX_COMMENT_COLUMNS && COMMENT.matcher(line).matches();
    }

    @Test
    void ratchetFollowsEveryChange() {
        assertThat(differences(
                        Map.of("same", 700, "grown", 701, "shrunk", 699, "new", 700),
                        Map.of("same", 700, "grown", 700, "shrunk", 700, "gone", 700)))
                .containsExactly(
                        "gone is small enough now: remove it from " + RATCHET,
                        "grown has 701 lines",
                        "new has 700 lines",
                        "shrunk has only 699 lines now: say so in " + RATCHET);
    }

    @Test
    void methodsAreMeasuredWhereverTheyAre() throws IOException {
        SourceSizes sizes = SourceSizes.ofText("A.java", """
                record A(int a) {
                    A {
                    }

                    static class B {
                        /** Not counted. */
                        @Deprecated
                        void m() {
                            run(() -> {
                            });
                        }
                    }
                }
                """);
        assertThat(sizes.files()).containsExactlyEntriesOf(Map.of("A.java", 13));
        assertThat(sizes.methods()).isEqualTo(Map.of("A.java#A.<init>", 2, "A.java#A.B.m", 5));
    }

    private static List<String> differences(Map<String, Integer> large, Map<String, Integer> allowed) {
        List<String> differences = new ArrayList<>();
        var names = new TreeSet<>(large.keySet());
        names.addAll(allowed.keySet());
        for (String name : names) {
            int lines = large.getOrDefault(name, 0);
            int allowedLines = allowed.getOrDefault(name, 0);
            if (lines > allowedLines) {
                differences.add(name + " has " + lines + " lines");
            } else if (lines == 0) {
                differences.add(name + " is small enough now: remove it from " + RATCHET);
            } else if (lines < allowedLines) {
                differences.add(name + " has only " + lines + " lines now: say so in " + RATCHET);
            }
        }
        return differences;
    }

    private static Map<String, Integer> larger(Map<String, Integer> sizes, int limit) {
        Map<String, Integer> larger = new TreeMap<>(sizes);
        larger.values().removeIf(lines -> lines <= limit);
        return larger;
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Module module : Module.ALL) {
            Path tree = CodeBase.directory().resolve(module.name()).resolve("src");
            if (Files.isDirectory(tree)) {
                try (var files = Files.walk(tree)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                }
            }
        }
        return sources;
    }
}
