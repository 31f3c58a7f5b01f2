package dev.fulmar.node.backup;

import dev.fulmar.engine.procedure.scan.ClassSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Finds classes on the node's own class path, so that benchmark procedures can be created without loading a jar. A
 * running node and a restore use it.
 */
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
