package dev.fulmar.engine.procedure;

import java.util.Locale;

/**
 * A parameter that a caller passes.
 *
 * @param name for messages; {@code p1} and so on if the class file does not tell
 * @param array one-dimensional array of the kind; its elements are never null
 * @param nullable whether null may be passed: everything but primitive types
 */
public record ProcedureParameter(String name, JavaKind kind, boolean array, boolean nullable) {
    /** The type as messages show it. */
    public String typeName() {
        String base = kind.name().toLowerCase(Locale.ROOT);
        return array ? base + "[]" : base;
    }

    @Override
    public String toString() {
        return typeName() + " " + name;
    }
}
