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
    /** What a call on several partitions may show, unless the caller asks for something else. */
    Consistency consistency() default Consistency.STRICT;

    /** What a reader of several partitions may show. */
    enum Consistency {
        /** Everything that was acknowledged before the call was made. */
        STRICT,
        /** One state of the whole database; one that was the newest a moment ago will do. */
        SNAPSHOT
    }
}
