package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final CommandLine commandLine = Main.commandLine().setOut(new PrintWriter(out));

    @Test
    void versionIsThatOfTheBuild() {
        assertThat(commandLine.execute("--version")).isZero();
        assertThat(out.toString()).startsWith("fulmar ").doesNotContain("${", "null");
    }

    @Test
    void withoutArgumentsSaysWhatThereIs() {
        assertThat(commandLine.execute()).isZero();
        assertThat(out.toString()).contains("Usage: fulmar");
    }
}
