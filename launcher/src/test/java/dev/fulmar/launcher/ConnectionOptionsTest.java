package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Where a password comes from. */
class ConnectionOptionsTest {
    @TempDir
    private Path folder;

    private static ConnectionOptions options(String... arguments) {
        return CommandLine.populateCommand(new ConnectionOptions(), arguments);
    }

    @Test
    void aPasswordIsNeverAnArgument() {
        assertThat(new CommandLine(CommandLine.Model.CommandSpec.forAnnotatedObject(new ConnectionOptions()))
                        .getCommandSpec()
                        .optionsMap()
                        .keySet())
                .filteredOn(name -> name.contains("password"))
                .containsExactly("--password-file");
    }

    @Test
    void aPasswordComesFromAFileOrTheEnvironment() throws Exception {
        Path file = Files.writeString(folder.resolve("password"), "secret\n");
        assertThatCode(() -> options("--user", "ann", "--password-file", file.toString())
                        .builder(Map.of()))
                .doesNotThrowAnyException();
        assertThatCode(() -> options("--user", "ann").builder(Map.of("FULMAR_PASSWORD", "secret")))
                .doesNotThrowAnyException();
        assertThatCode(() -> options().builder(Map.of("FULMAR_USER", "ann", "FULMAR_PASSWORD_FILE", file.toString())))
                .doesNotThrowAnyException();
        assertThatCode(() -> options().builder(Map.of())).doesNotThrowAnyException();
        assertThatThrownBy(() -> options(
                                "--user",
                                "ann",
                                "--password-file",
                                folder.resolve("none").toString())
                        .builder(Map.of()))
                .hasMessageContaining("cannot be read");
    }
}
