package dev.fulmar.procedure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The procedure only reads; a statement that writes is refused when the procedure is loaded. On several partitions it
 * reads all of them as they were at one moment, and takes no lock.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ReadOnly {
    /** Consistency of a call on several partitions, unless the caller asks for another. */
    Consistency consistency() default Consistency.STRICT;

    /** Consistency of a reader of several partitions. */
    enum Consistency {
        /** All commits that were acknowledged before the call was made. */
        STRICT,
        /** One state of the whole database; one that was the newest a moment ago will do. */
        SNAPSHOT
    }
}
