package dev.fulmar.engine.procedure.scan;

import java.util.Locale;

/**
 * Classifies the use of a member in procedure code as allowed, not repeatable or forbidden, with the reason. The
 * allow-list {@code library-rules.txt} gives one to each member of the JDK that it names.
 */
public enum Effect {
    ALLOW(Severity.NONE, ""),
    LINEAR(Severity.NONE, ""),
    GROWS(Severity.NONE, ""),
    SIZED(Severity.NONE, ""),
    COPIES(Severity.NONE, ""),
    DIGITS(Severity.NONE, ""),
    SCALE(Severity.NONE, ""),
    GUARD(Severity.NONE, ""),

    CLOCK(Severity.NOT_REPEATABLE, "reads a clock; use now() of the context"),
    RANDOM(Severity.NOT_REPEATABLE, "draws random numbers; use random() or uuid() of the context"),
    UNORDERED(Severity.NOT_REPEATABLE, "has an order that differs from run to run; use TreeMap, LinkedHashMap or List"),
    IDENTITY(Severity.NOT_REPEATABLE, "depends on the identity of an object, which differs from run to run"),
    SETTINGS(Severity.NOT_REPEATABLE, "depends on the machine's settings; pass a Locale, Charset or ZoneOffset.UTC"),
    PLATFORM(Severity.NOT_REPEATABLE, "may differ from machine to machine; for numbers use StrictMath"),
    STATE(Severity.NOT_REPEATABLE, "keeps state from call to call; use local variables or a table"),

    THREAD(Severity.FORBIDDEN, "uses threads or locks"),
    IO(Severity.FORBIDDEN, "does input or output"),
    REFLECTION(Severity.FORBIDDEN, "uses reflection or loads classes"),
    PROCESS(Severity.FORBIDDEN, "reaches into the node's process"),
    ENDLESS(Severity.FORBIDDEN, "may run long where no time budget can stop it; write a loop"),
    REFERENCE(Severity.FORBIDDEN, "cannot be a method reference, which has no budget check; call it in a lambda"),
    MISSING(Severity.FORBIDDEN, "is not in the jar; pack it into the jar or do without it"),
    NATIVE(Severity.FORBIDDEN, "is native code"),
    MALFORMED(Severity.FORBIDDEN, "is not what a Java compiler makes"),
    UNLISTED(Severity.FORBIDDEN, "is not on the list of what a procedure may use");

    /** The severity of an effect. */
    public enum Severity {
        NONE,
        /** Refused unless the procedure is logged by value. */
        NOT_REPEATABLE,
        /** Refused always. */
        FORBIDDEN;

        public boolean isForbidden() {
            return this == FORBIDDEN;
        }
    }

    private final Severity severity;
    private final String reason;

    Effect(Severity severity, String reason) {
        this.severity = severity;
        this.reason = reason;
    }

    public Severity severity() {
        return severity;
    }

    /** The defect and its remedy, as the end of a sentence; empty for what is allowed. */
    public String reason() {
        return reason;
    }

    static Effect named(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
