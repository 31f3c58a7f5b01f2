package dev.fulmar.benchmarks.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NodeWeaverTest {
    static Set<String> names() {
        return NodeWeaver.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void theNodesClassesHaveTheMethodsThatChange(String name) throws IOException {
        byte[] woven = NodeWeaver.weave(name, bytes(name));

        assertThat(ClassFile.of().verify(woven)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void aClassWithoutThemIsRefused(String name) throws IOException {
        byte[] another = bytes("dev/fulmar/foundation/id/PartitionId");

        assertThatIllegalStateException().isThrownBy(() -> NodeWeaver.weave(name, another));
    }

    private static byte[] bytes(String name) throws IOException {
        try (InputStream content = NodeWeaverTest.class.getClassLoader().getResourceAsStream(name + ".class")) {
            assertThat(content).isNotNull();
            return content.readAllBytes();
        }
    }
}
