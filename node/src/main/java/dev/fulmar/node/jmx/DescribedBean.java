package dev.fulmar.node.jmx;

import java.util.Arrays;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanOperationInfo;
import javax.management.StandardMBean;

/**
 * A bean whose attributes have the descriptions that {@link Counter} and {@link Gauge} give them. Its
 * operations have those of {@link Listing}. JMX by itself shows names instead.
 */
public final class DescribedBean extends StandardMBean {
    private <T> DescribedBean(Object bean, Class<T> figures) {
        super(figures.cast(bean), figures, true);
    }

    /** @param bean implements one interface that ends with MXBean */
    public static DescribedBean of(Object bean) {
        Class<?> figures = Arrays.stream(bean.getClass().getInterfaces())
                .filter(each -> each.getSimpleName().endsWith("MXBean"))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(bean.getClass() + " is no MXBean"));
        return new DescribedBean(bean, figures);
    }

    @Override
    protected String getDescription(MBeanAttributeInfo attribute) {
        for (String field : new String[] {Counter.FIELD, Gauge.FIELD}) {
            if (attribute.getDescriptor().getFieldValue(field) instanceof String text) {
                return text;
            }
        }
        return super.getDescription(attribute);
    }

    @Override
    protected String getDescription(MBeanOperationInfo operation) {
        return operation.getDescriptor().getFieldValue(Listing.FIELD) instanceof String text
                ? text
                : super.getDescription(operation);
    }
}
