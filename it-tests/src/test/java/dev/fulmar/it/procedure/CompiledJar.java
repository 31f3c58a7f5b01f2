package dev.fulmar.it.procedure;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles classes from source and packs them into a jar, as their author would. */
public final class CompiledJar {
    private static final String HEADER = "package shop; import java.math.*; import java.time.*; import java.util.*; ";

    private CompiledJar() {}

    /**
     * The jar.
     *
     * @param classes for each class its name and then its text, of the package {@code shop}
     */
    public static Path of(Path folder, String... classes) throws IOException {
        Path sources = Files.createTempDirectory(folder, "sources");
        Path compiled = Files.createTempDirectory(folder, "classes");
        List<String> arguments = new ArrayList<>(List.of(
                "-d", compiled.toString(), "-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path")));
        for (int i = 0; i < classes.length; i += 2) {
            Path source = sources.resolve(classes[i] + ".java");
            Files.writeString(source, HEADER + classes[i + 1]);
            arguments.add(source.toString());
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        int result = compiler.run(null, null, OutputStream.nullOutputStream(), arguments.toArray(String[]::new));
        if (result != 0) {
            throw new IllegalArgumentException("the classes do not compile");
        }
        Path jar = Files.createTempFile(folder, "shop", ".jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(compiled)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                out.putNextEntry(
                        new JarEntry(compiled.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
        return jar;
    }
}
