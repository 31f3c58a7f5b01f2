package dev.fulmar.node.jmx;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import javax.management.DescriptorKey;

/** Describes an operation that lists something and changes nothing. JMX shows the description. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Listing {
    /** The field of the operation's descriptor that has the text. */
    String FIELD = "listing";

    /** One sentence for operators. */
    @DescriptorKey(FIELD)
    String value();
}
