package dev.fulmar.engine.procedure.scan;

import org.jspecify.annotations.Nullable;

/** Class files that are not the JDK's or the API's. */
@FunctionalInterface
public interface ClassSource {
    /** Bytes of the class file, or null if there is none; the name has slashes. */
    byte @Nullable [] find(String internalName);
}
