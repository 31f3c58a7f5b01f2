package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.node.data.DataDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandLine commandLine =
            Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

    @Test
    void versionIsThatOfTheBuild() {
        assertThat(commandLine.execute("--version")).isZero();
        assertThat(out.toString()).startsWith("fulmar ").doesNotContain("${", "null");
    }

    @Test
    void aDemoRefusesToKillItsOnlyNode() {
        assertThat(commandLine.execute("demo", "--kill")).isNotZero();
        assertThat(err.toString()).contains("--nodes 3");
        assertThat(commandLine.execute("demo", "--nodes", "3", "--k", "0", "--kill"))
                .isNotZero();
        assertThat(err.toString()).contains("at least 1");
    }

    @Test
    void withoutArgumentsSaysWhatThereIs() {
        assertThat(commandLine.execute()).isZero();
        assertThat(out.toString()).contains("Usage: fulmar");
    }

    @Test
    void anImpossibleNumberIsRefused() {
        assertThat(commandLine.execute("start", "--partitions", "-3", "--durability", "none"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("partitions cannot be '-3'");
    }

    @Test
    void aFileOfSomethingElseIsNoGoodLog(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("notes"), "nothing");
        assertThat(commandLine.execute("log", "verify", file.toString())).isEqualTo(1);
        assertThat(commandLine.execute("log", "inspect", folder.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("there is no log in");
        DataDirectory.open(folder.resolve("data"), Map.of("partitions", "2", "partitioning", "hash"))
                .close();
        assertThat(commandLine.execute("log", "verify", folder.resolve("data").toString()))
                .isZero();
        assertThat(out.toString()).contains("there is no log yet");
        Files.createDirectories(folder.resolve("data/log-checkpoints"));
        assertThat(commandLine.execute(
                        "log", "verify", folder.resolve("data/log-checkpoints").toString()))
                .isEqualTo(1);
    }
}
