package dev.fulmar.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Sentences are short, and their subject is a role (docs/STYLE.md). The ratchet file has the counts of those that are
 * not, by area: a count may only shrink.
 */
class ProseTest {
    private static final String RATCHET = "it-tests/prose-ratchet.txt";

    @Test
    void sentencesGetNoWorse() throws IOException {
        Map<String, Integer> allowed = Ratchet.read(RATCHET);
        Map<String, Integer> found = counts();
        List<String> differences = new ArrayList<>();
        found.forEach((name, count) -> {
            int most = allowed.getOrDefault(name, 0);
            if (count > most) {
                differences.add(name + ": " + count + " sentences, " + most + " allowed; see docs/STYLE.md");
            } else if (count < most) {
                differences.add(name + ": only " + count + " now; say so in " + RATCHET);
            }
        });
        assertThat(differences).isEmpty();
        assertThat(allowed.keySet()).isEqualTo(found.keySet());
    }

    @Test
    void sentencesAreFound() {
        String source = """
                /**
                 * The first {@link Object one}. A second,
                 * e.g. this one.
                 *
                 * @param a no sentence
                 */
                class A {
                    /** What is here is bad. */
                    int a;
                }
                """;
        assertThat(Prose.firstSentences(source)).containsExactly("The first code", "What is here is bad");
        assertThat(Prose.ofJavadoc(source))
                .containsExactly("The first code", "A second,\ne.g. this one", "What is here is bad");
        assertThat(Prose.ofMarkdown("""
                        # Title
                        One `a.b c` [link](x.md). Two
                        goes on.

                        - Three
                        - Four. Five

                        | no | table. |
                        ```
                        no code.
                        ```
                        """)).containsExactly("One code link", "Two goes on", "Three", "Four", "Five");
    }

    @Test
    void aLongSentenceAndOneWithoutARoleAreKnown() {
        assertThat(Prose.isLong("a ".repeat(25))).isFalse();
        assertThat(Prose.isLong("a ".repeat(26))).isTrue();
        assertThat(List.of("What is here is bad", "Nobody knows", "Whoever asks, waits", "Here it ends"))
                .allMatch(Prose::hasNoRole);
        assertThat(List.of("The primary waits", "Whether it waits", "Whatsoever", "Hereby"))
                .noneMatch(Prose::hasNoRole);
    }

    private static Map<String, Integer> counts() throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        for (Module module : Module.ALL) {
            Path tree = CodeBase.directory().resolve(module.name()).resolve("src/main/java");
            List<String> first = new ArrayList<>();
            List<String> packages = new ArrayList<>();
            for (Path source : files(tree, ".java")) {
                String text = Files.readString(source);
                first.addAll(Prose.firstSentences(text));
                if (source.endsWith("package-info.java")) {
                    packages.addAll(Prose.ofJavadoc(text));
                }
            }
            count(counts, module.name() + "/first-sentences", first);
            count(counts, module.name() + "/package-infos", packages);
        }
        for (Path document : documents()) {
            String name = CodeBase.directory().relativize(document).toString();
            count(counts, name, Prose.ofMarkdown(Files.readString(document)));
        }
        return counts;
    }

    private static void count(Map<String, Integer> counts, String area, List<String> sentences) {
        put(counts, area + " long", sentences.stream().filter(Prose::isLong).count());
        put(
                counts,
                area + " no-role",
                sentences.stream().filter(Prose::hasNoRole).count());
    }

    private static void put(Map<String, Integer> counts, String name, long count) {
        if (count > 0) {
            counts.put(name, (int) count);
        }
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>(files(CodeBase.directory().resolve("docs"), ".md"));
        for (String name : List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")) {
            documents.add(CodeBase.directory().resolve(name));
        }
        for (Module module : Module.ALL) {
            Path page = CodeBase.directory().resolve(module.name()).resolve("README.md");
            if (Files.exists(page)) {
                documents.add(page);
            }
        }
        return documents;
    }

    private static List<Path> files(Path tree, String ending) throws IOException {
        if (!Files.isDirectory(tree)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(tree)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }
}
