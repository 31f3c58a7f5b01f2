package dev.fulmar.benchmarks.workload;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Packs classes into a procedure jar as a build tool would. */
public final class ProcedureJar {
    private ProcedureJar() {}

    /** Bytes of a jar with the classes. */
    public static byte[] of(List<Class<?>> classes) {
        return of(classes, UnaryOperator.identity());
    }

    /**
     * Bytes of a jar with the classes in another form.
     *
     * @param change makes a class file's bytes from those of the class path
     */
    public static byte[] of(List<Class<?>> classes, UnaryOperator<byte[]> change) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes)) {
            for (Class<?> type : classes) {
                String name = type.getName().replace('.', '/') + ".class";
                JarEntry entry = new JarEntry(name);
                entry.setTime(0);
                jar.putNextEntry(entry);
                try (InputStream content = type.getClassLoader().getResourceAsStream(name)) {
                    if (content == null) {
                        throw new IllegalArgumentException("the class file of " + type.getName() + " cannot be read");
                    }
                    jar.write(change.apply(content.readAllBytes()));
                }
                jar.closeEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
