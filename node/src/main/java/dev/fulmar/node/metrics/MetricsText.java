package dev.fulmar.node.metrics;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.jmx.Counter;
import dev.fulmar.node.jmx.Gauge;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;

/** All figures of a node that are numbers, in the text format of Prometheus. */
final class MetricsText {
    private static final String TYPE = "type";

    private final MBeanServer beans;
    private final int node;

    /** By the metric's name, for the lines of one name belong together. */
    private final Map<String, Metric> metrics = new TreeMap<>();

    /**
     * One metric.
     *
     * @param type counter or gauge; untyped where the bean does not say
     */
    private record Metric(String help, String type, List<String> samples) {
        static Metric of(MBeanAttributeInfo attribute) {
            return new Metric(attribute.getDescription(), typeOf(attribute), new ArrayList<>());
        }

        private static String typeOf(MBeanAttributeInfo attribute) {
            if (attribute.getDescriptor().getFieldValue(Counter.FIELD) != null) {
                return "counter";
            }
            return attribute.getDescriptor().getFieldValue(Gauge.FIELD) != null ? "gauge" : "untyped";
        }
    }

    private MetricsText(MBeanServer beans, int node) {
        this.beans = beans;
        this.node = node;
    }

    static String of(MBeanServer beans, int node) {
        return new MetricsText(beans, node).write();
    }

    private String write() {
        try {
            for (ObjectName bean : beans.queryNames(new ObjectName("fulmar:node=" + node + ",*"), null)) {
                add(bean);
            }
        } catch (JMException e) {
            throw new FulmarException(ErrorCode.INTERNAL, "the figures could not be read", e);
        }
        StringBuilder text = new StringBuilder();
        metrics.forEach((name, metric) -> {
            text.append("# HELP ")
                    .append(name)
                    .append(' ')
                    .append(ofHelp(metric.help))
                    .append('\n');
            text.append("# TYPE ").append(name).append(' ').append(metric.type).append('\n');
            metric.samples.stream()
                    .sorted()
                    .forEach(sample -> text.append(sample).append('\n'));
        });
        return text.toString();
    }

    private void add(ObjectName bean) throws JMException {
        Map<String, String> labels = new TreeMap<>();
        bean.getKeyPropertyList().forEach((key, value) -> {
            if (!key.equals(TYPE)) {
                labels.put(key, value.startsWith("\"") ? ObjectName.unquote(value) : value);
            }
        });
        try {
            for (MBeanAttributeInfo attribute : beans.getMBeanInfo(bean).getAttributes()) {
                String name = "fulmar_" + snake(bean.getKeyProperty(TYPE)) + "_" + snake(attribute.getName());
                add(name, attribute, labels, beans.getAttribute(bean, attribute.getName()));
            }
        } catch (InstanceNotFoundException | AttributeNotFoundException e) {
            return; // a client that left since
        }
    }

    private void add(String name, MBeanAttributeInfo attribute, Map<String, String> labels, Object value) {
        switch (value) {
            case Number number -> sample(name, attribute, labels, number.toString());
            case Boolean truth -> sample(name, attribute, labels, truth ? "1" : "0");
            case TabularData table -> {
                for (Object entry : table.values()) {
                    CompositeData pair = (CompositeData) entry;
                    if (pair.get("value") instanceof Number number) {
                        Map<String, String> more = new TreeMap<>(labels);
                        more.put("entry", String.valueOf(pair.get("key")));
                        sample(name, attribute, more, number.toString());
                    }
                }
            }
            case null, default -> {} // a text is no figure
        }
    }

    private void sample(String name, MBeanAttributeInfo attribute, Map<String, String> labels, String value) {
        List<String> pairs = new ArrayList<>();
        labels.forEach((key, label) -> pairs.add(snake(key) + "=\"" + escaped(label) + "\""));
        metrics.computeIfAbsent(name, first -> Metric.of(attribute))
                .samples
                .add(name + "{" + String.join(",", pairs) + "} " + value);
    }

    private static String snake(String name) {
        return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_")
                .replaceAll("[^A-Za-z0-9_]", "_")
                .toLowerCase(Locale.ROOT);
    }

    private static String ofHelp(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n");
    }

    private static String escaped(String label) {
        return ofHelp(label).replace("\"", "\\\"");
    }
}
