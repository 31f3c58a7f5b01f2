package dev.fulmar.node.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.backend.BackendSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
    private static final Map<String, String> TWO = Map.of("partitions", "2", "partitioning", "hash");

    @TempDir
    private Path folder;

    private static void assertRefused(ErrorCode code, String message, ThrowingCallable opening) {
        assertThatThrownBy(opening).isInstanceOfSatisfying(FulmarException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(e).hasMessageContaining(message);
        });
    }

    @Test
    void opensAgainWithTheSameLayout() {
        Path path = folder.resolve("data");
        DataDirectory.open(path, TWO).close();
        DataDirectory.open(path, TWO).close();
        assertThat(path).isDirectoryContaining("glob:**/database.properties");
    }

    @Test
    void oneAtATime() {
        try (DataDirectory first = DataDirectory.open(folder, TWO)) {
            assertThat(first.path()).isEqualTo(folder);
            assertRefused(
                    ErrorCode.INVALID_CONFIGURATION,
                    "in use by another process",
                    () -> DataDirectory.open(folder, TWO).close());
        }
        DataDirectory.open(folder, TWO).close();
    }

    @Test
    void refusesAnotherLayoutAndSaysHowToStart() {
        DataDirectory.open(folder, TWO).close();
        assertRefused(
                ErrorCode.INVALID_CONFIGURATION,
                "--set partitions=2",
                () -> DataDirectory.open(folder, Map.of("partitions", "3")).close());
        DataDirectory.open(folder, TWO).close();
    }

    @Test
    void refusesAnotherBackend() throws IOException {
        DataDirectory.open(folder, TWO).close();
        BackendSettings settings = new BackendSettings(folder.toString(), 1 << 28, true);
        assertRefused(
                ErrorCode.INVALID_CONFIGURATION,
                "--set backend=file",
                () -> DataDirectory.open(folder, TWO, "llpl", settings).close());
        Path file = folder.resolve("database.properties");
        Files.writeString(file, Files.readString(file).replace("backend=file\n", ""));
        try (DataDirectory before = DataDirectory.open(folder, TWO)) {
            assertThat(before.backend().name()).isEqualTo("file");
        }
    }

    @Test
    void refusesAnUnknownFormat() throws IOException {
        DataDirectory.open(folder, TWO).close();
        Path file = folder.resolve("database.properties");
        Files.writeString(file, Files.readString(file).replace("format=1", "format=2"));
        assertRefused(
                ErrorCode.VERSION_MISMATCH,
                "format 2",
                () -> DataDirectory.open(folder, TWO).close());
    }

    @Test
    void refusesALogOfWhichNothingIsKnown() throws IOException {
        Files.createDirectories(folder.resolve(DataDirectory.LOG));
        Files.writeString(folder.resolve(DataDirectory.LOG).resolve("control"), "x");
        assertRefused(
                ErrorCode.CORRUPTION,
                "no database.properties",
                () -> DataDirectory.open(folder, TWO).close());
    }
}
