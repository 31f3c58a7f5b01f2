package dev.fulmar.engine.procedure.scan;

/**
 * A finding of the determinism scan: a place in a procedure's code and the objection to it.
 *
 * @param line in the source; 0 if the class file does not tell
 * @param what the subject of the sentence that the effect's reason ends
 */
public record Finding(Effect effect, String className, String method, int line, String what) {
    /** Class, method and line, then what is wrong and what to do. */
    @Override
    public String toString() {
        String place = className + (method.isEmpty() ? "" : "." + method) + (line > 0 ? ", line " + line : "");
        return place + ": " + what + " " + effect.reason();
    }
}
