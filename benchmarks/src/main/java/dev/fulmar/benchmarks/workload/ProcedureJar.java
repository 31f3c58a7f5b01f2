package dev.fulmar.benchmarks.workload;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Packs classes into a procedure jar as a build tool would. */
public final class ProcedureJar {
    private ProcedureJar() {}

    /** Bytes of a jar with the classes. */
    public static byte[] of(List<Class<?>> classes) {
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
                    content.transferTo(jar);
                }
                jar.closeEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
