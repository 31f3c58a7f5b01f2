package dev.fulmar.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each module's README names every package of the module, and no package that is gone. */
class ModuleReadmeTest {
    private static final Pattern ROW = Pattern.compile("\\| *((?:`[a-z.]+`(?:, )?)+) *\\|");
    /** Made by the build, so it has no source. */
    private static final String GENERATED = "proto";

    private static final Pattern NAME = Pattern.compile("`([a-z.]+)`");

    @Test
    void everyPackageHasARow() throws IOException {
        List<String> differences = new ArrayList<>();
        for (Module module : Module.ALL) {
            Path directory = CodeBase.directory().resolve(module.name());
            Path root = directory.resolve("src/main/java/dev/fulmar/" + module.shortPackage());
            if (Files.isDirectory(root)) {
                Set<String> packages = packages(root);
                Set<String> named = named(Files.readString(directory.resolve("README.md")));
                packages.stream()
                        .filter(name -> !named.contains(name))
                        .forEach(name -> differences.add(module.name() + "/README.md has no row for `" + name + "`"));
                named.stream()
                        .filter(name -> !packages.contains(name))
                        .forEach(name ->
                                differences.add(module.name() + "/README.md names `" + name + "`, which is gone"));
            }
        }
        assertThat(differences).isEmpty();
    }

    @Test
    void rowsAreRead() {
        assertThat(named("""
                        | package | what |
                        |---|---|
                        | (root) | `not.one` |
                        | `a` | what `a` is |
                        | `b.real`, `c.real` | two |

                        | command | what |
                        |---|---|
                        | `d` | no package |
                        """)).containsExactly("a", "b.real", "c.real");
    }

    /** Relative to the module's root package, which may stand as `(root)`. */
    private static Set<String> packages(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            Set<String> packages = new TreeSet<>();
            files.filter(file -> file.endsWith("package-info.java"))
                    .map(file -> root.relativize(file.getParent()).toString().replace('/', '.'))
                    .filter(name -> !name.isEmpty())
                    .forEach(packages::add);
            return packages;
        }
    }

    /** By the rows of tables of packages. */
    private static Set<String> named(String readme) {
        Set<String> named = new TreeSet<>();
        boolean isOfPackages = false;
        for (String line : readme.lines().toList()) {
            isOfPackages = line.startsWith("| package ") || (isOfPackages && line.startsWith("|"));
            Matcher row = ROW.matcher(line);
            if (isOfPackages && row.lookingAt()) {
                for (Matcher name = NAME.matcher(row.group(1)); name.find(); ) {
                    named.add(name.group(1));
                }
            }
        }
        named.remove(GENERATED);
        return named;
    }
}
