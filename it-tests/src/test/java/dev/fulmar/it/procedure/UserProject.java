package dev.fulmar.it.procedure;

import static java.util.Objects.requireNonNull;

import dev.fulmar.procedure.Procedure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Builds a fixture project as its pom.xml would: its sources against the procedure API and nothing else. */
public final class UserProject {
    private UserProject() {}

    /** Compiles the project in the folder of fixtures and returns its jar. */
    public static Path jar(String name, Path target) throws IOException {
        Path classes = Files.createDirectories(target.resolve(name + "-classes"));
        List<String> arguments = new ArrayList<>(List.of("-d", classes.toString(), "-cp", apiPath(), "-proc:none"));
        try (Stream<Path> sources = Files.walk(Path.of("src/test/fixtures", name, "src/main/java"))) {
            sources.filter(source -> source.toString().endsWith(".java"))
                    .map(Path::toString)
                    .forEach(arguments::add);
        }
        JavaCompiler compiler =
                requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK, not a JRE, runs the tests");
        if (compiler.run(null, null, null, arguments.toArray(new String[0])) != 0) {
            throw new IllegalStateException("the fixture " + name + " does not compile");
        }
        Path jar = target.resolve(name + ".jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
        return jar;
    }

    private static String apiPath() {
        return Path.of(Procedure.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .toString();
    }
}
