package dev.fulmar.node.backup;

import dev.fulmar.engine.procedure.scan.ClassSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Classes that came with the node: procedures of the benchmarks can be created without loading a jar first. */
public final class ClassPathSource implements ClassSource {
    private static final String SUFFIX = ".class";

    @Override
    public byte @Nullable [] find(String internalName) {
        try (InputStream in = ClassPathSource.class.getClassLoader().getResourceAsStream(internalName + SUFFIX)) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("class " + internalName + " cannot be read", e);
        }
    }
}
