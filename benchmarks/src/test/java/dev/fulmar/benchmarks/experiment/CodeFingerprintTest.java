package dev.fulmar.benchmarks.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.Database;
import dev.fulmar.foundation.id.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

class CodeFingerprintTest {
    @Test
    void otherCodeHasAnotherFingerprint() {
        String one = CodeFingerprint.of(List.of(Database.class));
        assertThat(CodeFingerprint.of(List.of(Database.class))).isEqualTo(one).hasSize(16);
        assertThat(CodeFingerprint.of(List.of(NodeId.class))).isNotEqualTo(one);
    }

    /** A result that outlived a change of one module would be taken for one of the code as it is. */
    @Test
    void aDatabaseIsTheCodeOfAllItsModules() {
        assertThat(CodeFingerprint.DATABASE.stream()
                        .map(type -> type.getPackageName().split("\\.")[2]))
                .containsExactlyInAnyOrder(
                        "foundation", "procedure", "pmemlog", "engine", "sql", "coordinator", "reconfig");
        assertThat(CodeFingerprint.ofNode(CodeFingerprint.class))
                .isNotEqualTo(CodeFingerprint.ofDatabase(CodeFingerprint.class));
    }
}
