package dev.fulmar.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The modules whose states meet check their invariants as they run: at least 4 checks in 1,000 lines. */
class InvariantsTest {
    private static final int LEAST_IN_THOUSAND_LINES = 4;
    private static final int THOUSAND = 1000;
    private static final Pattern CHECK = Pattern.compile("Invariants\\.(check|breach)\\(");

    @ParameterizedTest
    @ValueSource(strings = {"coordinator", "engine-core"})
    void statesAreCheckedWhereTheyMeet(String module) throws IOException {
        long lines = 0;
        long checks = 0;
        try (Stream<Path> files =
                Files.walk(CodeBase.directory().resolve(module).resolve("src/main/java"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                List<String> source = Files.readAllLines(file);
                lines += source.size();
                checks += source.stream()
                        .mapToLong(line -> CHECK.matcher(line).results().count())
                        .sum();
            }
        }
        assertThat(checks * THOUSAND / lines)
                .as("%s checks in %s lines of %s", checks, lines, module)
                .isGreaterThanOrEqualTo(LEAST_IN_THOUSAND_LINES);
    }
}
