package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.ProcedureDefinition.JavaClass;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.engine.userfunction.UserFunction.JavaMethod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The jars that a database knows, in the order in which they were loaded. Immutable. */
public final class ProcedureJars {
    public static final ProcedureJars NONE = new ProcedureJars(new LinkedHashMap<>());

    private final Map<String, ProcedureJar> byDigest;

    private ProcedureJars(Map<String, ProcedureJar> byDigest) {
        this.byDigest = byDigest;
    }

    /** These and the jar, which is now the last one. */
    public ProcedureJars with(ProcedureJar jar) {
        Map<String, ProcedureJar> changed = new LinkedHashMap<>(byDigest);
        changed.remove(jar.digest());
        changed.put(jar.digest(), jar);
        return new ProcedureJars(changed);
    }

    /** Those that a procedure or function of the catalog comes from, and the last one. */
    public ProcedureJars usedBy(Catalog catalog) {
        Map<String, ProcedureJar> kept = new LinkedHashMap<>();
        List<ProcedureJar> jars = List.copyOf(byDigest.values());
        for (ProcedureJar jar : jars) {
            boolean used = catalog.procedures().values().stream()
                    .anyMatch(procedure -> procedure.body() instanceof JavaClass code
                            && code.jarDigest().equals(jar.digest()));
            used |= catalog.functions().values().stream()
                    .anyMatch(function -> function.body() instanceof JavaMethod java
                            && java.jarDigest().equals(jar.digest()));
            if (used || jar == jars.getLast()) {
                kept.put(jar.digest(), jar);
            }
        }
        return new ProcedureJars(kept);
    }

    /** In the order in which they were loaded. */
    public List<ProcedureJar> all() {
        return List.copyOf(byDigest.values());
    }

    public @Nullable ProcedureJar find(String digest) {
        return byDigest.get(digest);
    }

    /** The jar loaded last that has the class, or null. */
    public @Nullable ProcedureJar latestWith(String className) {
        ProcedureJar latest = null;
        for (ProcedureJar jar : byDigest.values()) {
            if (jar.contains(className)) {
                latest = jar;
            }
        }
        return latest;
    }

    /** The catalog in which every procedure and function whose class the jar has comes from that jar. */
    public static Catalog replaced(Catalog catalog, ProcedureJar jar) {
        Catalog changed = catalog;
        for (ProcedureDefinition procedure : catalog.procedures().values()) {
            if (procedure.body() instanceof JavaClass code && jar.contains(code.className())) {
                changed = changed.withProcedure(procedure.withBody(new JavaClass(code.className(), jar.digest())));
            }
        }
        for (UserFunction function : catalog.functions().values()) {
            if (function.body() instanceof JavaMethod java && jar.contains(java.className())) {
                changed = changed.withFunction(function.fromJar(jar.digest()));
            }
        }
        return changed;
    }

    /** The function with the digest of the jar that its class is in; unchanged if no jar has it. */
    public UserFunction resolve(UserFunction function) {
        if (function.body() instanceof JavaMethod java) {
            ProcedureJar jar = latestWith(java.className());
            return jar == null ? function : function.fromJar(jar.digest());
        }
        return function;
    }

    /** The definition with the digest of the jar that its class is in; unchanged if no jar has it. */
    public ProcedureDefinition resolve(ProcedureDefinition definition) {
        if (definition.body() instanceof JavaClass code) {
            ProcedureJar jar = latestWith(code.className());
            if (jar != null) {
                return definition.withBody(new JavaClass(code.className(), jar.digest()));
            }
        }
        return definition;
    }
}
