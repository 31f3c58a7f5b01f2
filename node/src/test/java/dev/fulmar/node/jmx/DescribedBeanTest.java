package dev.fulmar.node.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import javax.management.MBeanAttributeInfo;
import org.junit.jupiter.api.Test;

class DescribedBeanTest {
    /** The first attribute counts, the second does not, the third says nothing. */
    public interface ThingMXBean {
        @Counter("Things made since the start.")
        long getMade();

        @Gauge("Things that are there.")
        int getThere();

        int getUnknown();
    }

    /** Things. */
    public record Things(long made, int there) implements ThingMXBean {
        @Override
        public long getMade() {
            return made;
        }

        @Override
        public int getThere() {
            return there;
        }

        @Override
        public int getUnknown() {
            return 0;
        }
    }

    @Test
    void attributesHaveTheirDescriptionsAndValues() throws Exception {
        DescribedBean bean = DescribedBean.of(new Things(5, 3));
        TreeSet<String> descriptions = new TreeSet<>();
        for (MBeanAttributeInfo attribute : bean.getMBeanInfo().getAttributes()) {
            descriptions.add(attribute.getName() + ": " + attribute.getDescription());
        }
        assertThat(descriptions)
                .containsExactly(
                        "Made: Things made since the start.", "There: Things that are there.", "Unknown: Unknown");
        assertThat(bean.getAttribute("Made")).isEqualTo(5L);
    }

    /** Read from the compiled classes, so that a new attribute cannot be forgotten. */
    @Test
    void everyAttributeThatANodePublishesIsDescribed() throws Exception {
        List<String> missing = new ArrayList<>();
        int described = 0;
        for (Class<?> figures : publishedInterfaces()) {
            for (Method attribute : figures.getMethods()) {
                boolean isDescribed = attribute.getParameterCount() > 0
                        ? attribute.isAnnotationPresent(Listing.class)
                        : attribute.isAnnotationPresent(Counter.class) != attribute.isAnnotationPresent(Gauge.class);
                if (isDescribed) {
                    described++;
                } else {
                    missing.add(attribute.toString());
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(described).isGreaterThan(100);
    }

    private static List<Class<?>> publishedInterfaces() throws IOException, ReflectiveOperationException {
        URI place = URI.create(Objects.requireNonNull(NodeMXBean.class.getResource("NodeMXBean.class"))
                .toString());
        List<Class<?>> interfaces = new ArrayList<>();
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(Objects.requireNonNull(Path.of(place).getParent()), "*MXBean.class")) {
            for (Path file : files) {
                String name = file.getFileName().toString().replace(".class", "");
                interfaces.add(Class.forName(NodeMXBean.class.getPackageName() + "." + name));
            }
        }
        return interfaces;
    }
}
