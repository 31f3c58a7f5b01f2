package dev.fulmar.simulator.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourcePatchTest {
    private static final SourcePatch PATCH =
            SourcePatch.parse("skips", """
            No step is
            skipped.

            --- a/part/Steps.java
            +++ b/part/Steps.java
            @@ -7,3 +7,3 @@
                 first();
            -    second();
            +    third();
            """.lines().toList());

    @TempDir
    private Path root;

    @BeforeEach
    void makeSources() throws IOException {
        Files.createDirectories(root.resolve("part"));
    }

    private String apply(String text) throws IOException {
        Files.writeString(root.resolve("part/Steps.java"), text);
        List<Path> written = PATCH.write(root, root.resolve("scratch"));
        assertThat(written).containsExactly(root.resolve("scratch/part/Steps.java"));
        return Files.readString(written.getFirst());
    }

    @Test
    void theRuleStandsBeforeTheFiles() {
        assertThat(PATCH.rule()).isEqualTo("No step is skipped.");
    }

    @Test
    void aHunkIsFoundByItsLinesWhereverTheyStand() throws IOException {
        assertThat(apply("a\nb\n    first();\n    second();\nc\n")).isEqualTo("a\nb\n    first();\n    third();\nc\n");
        assertThat(Files.readString(root.resolve("part/Steps.java"))).contains("second");
    }

    @Test
    void whatIsGoneDoesNotApply() {
        assertThatThrownBy(() -> apply("    first();\n    other();\n")).hasMessageContaining("no such lines");
    }

    @Test
    void whatStandsTwiceDoesNotApply() {
        assertThatThrownBy(() -> apply("    first();\n    second();\n    first();\n    second();\n"))
                .hasMessageContaining("twice");
    }

    @Test
    void aPatchWithoutARuleIsRefused() {
        assertThatThrownBy(() -> SourcePatch.parse("mute", List.of("--- a/x", "+++ b/x", "@@ @@", "-a", "+b")))
                .hasMessageContaining("no rule");
    }
}
