package dev.fulmar.node.jmx;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import javax.management.DescriptorKey;

/**
 * Describes an attribute that shows a state: it may grow and shrink, or be a text. JMX shows the description,
 * Prometheus has it as HELP of a gauge.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Gauge {
    /** The field of the attribute's descriptor that has the text. */
    String FIELD = "gauge";

    /** One sentence with the unit, for operators. */
    @DescriptorKey(FIELD)
    String value();
}
