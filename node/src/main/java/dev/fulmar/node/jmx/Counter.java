package dev.fulmar.node.jmx;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import javax.management.DescriptorKey;

/**
 * Describes an attribute that only grows while the node runs. JMX shows the text, Prometheus has it as HELP of a
 * counter.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Counter {
    /** The field of the attribute's descriptor that has the text. */
    String FIELD = "counter";

    /** One sentence with the unit, for operators. */
    @DescriptorKey(FIELD)
    String value();
}
