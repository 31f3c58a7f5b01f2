package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.catalog.ProcedureDefinition.JavaClass;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A cache of procedures' loaded classes that the simulated databases in one JVM share; that of a real node keeps
 * nothing. Without it, databases that come and go by the thousand would scan, weave and warm up the same classes each.
 * Procedures have no state beyond a call, as the scan sees to, so sharing shows nowhere. Thread-safe.
 */
public final class SharedCode {
    private static final int MOST_CLASSES = 200;

    private final boolean keeps;
    private final ConcurrentHashMap<JavaClass, JavaProcedureLoader.JavaCode> loaded = new ConcurrentHashMap<>();

    private SharedCode(boolean keeps) {
        this.keeps = keeps;
    }

    /** Shares nothing: each database loads its own, which goes with the last call. */
    public static SharedCode none() {
        return new SharedCode(false);
    }

    /** For databases that are given the same one. */
    public static SharedCode among() {
        return new SharedCode(true);
    }

    JavaProcedureLoader.JavaCode of(JavaClass code, Supplier<JavaProcedureLoader.JavaCode> load) {
        if (!keeps || code.jarDigest().isEmpty()) {
            return load.get();
        }
        if (loaded.size() >= MOST_CLASSES) {
            loaded.clear();
        }
        return loaded.computeIfAbsent(code, any -> load.get());
    }
}
