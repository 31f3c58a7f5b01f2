package dev.fulmar.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A package has at most 40 files, or a sentence in its package-info that says why one with more is one idea. */
class PackageSizeTest {
    private static final int MOST_FILES = 40;
    private static final String REASON = "More than 40 files: ";

    @Test
    void largePackagesSayWhy() throws IOException {
        List<String> differences = new ArrayList<>();
        for (Module module : Module.ALL) {
            Path root = CodeBase.directory().resolve(module.name()).resolve("src/main/java");
            if (Files.isDirectory(root)) {
                try (Stream<Path> files = Files.walk(root)) {
                    for (Path page : files.filter(file -> file.endsWith("package-info.java"))
                            .sorted()
                            .toList()) {
                        check(root, page, differences);
                    }
                }
            }
        }
        assertThat(differences).isEmpty();
    }

    private static void check(Path root, Path page, List<String> differences) throws IOException {
        int count;
        try (Stream<Path> files = Files.list(page.getParent())) {
            count = (int) files.filter(file -> file.toString().endsWith(".java") && !file.endsWith("package-info.java"))
                    .count();
        }
        boolean hasReason = Files.readString(page).contains(REASON);
        if (count > MOST_FILES != hasReason) {
            differences.add(root.relativize(page.getParent()) + " has " + count + " files and "
                    + (hasReason ? "a reason, which it does not need" : "no reason: split it by subject"));
        }
    }
}
