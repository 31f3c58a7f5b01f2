package dev.fulmar.pmemlog.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileBackendTest extends BackendContract {
    @TempDir
    private Path directory = Path.of("");

    @Override
    protected Backend open() {
        return Backends.open("file", new BackendSettings(directory.toString(), 0, false));
    }

    @Override
    protected DurabilityLevel expected() {
        return typeOf(directory).equals("tmpfs") ? DurabilityLevel.PROCESS_CRASH : DurabilityLevel.POWER_FAIL;
    }

    private static String typeOf(Path path) {
        try {
            return Files.getFileStore(path).type();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void memoryOfTheOperatingSystemIsNoDevice() throws IOException {
        Path memory = Path.of("/dev/shm");
        Assumptions.assumeTrue(
                Files.isWritable(memory) && typeOf(memory).equals("tmpfs"), "no memory file system at /dev/shm");
        Path inMemory = Files.createTempDirectory(memory, "fulmar-backend");
        try (Backend backend = Backends.open("file", new BackendSettings(inMemory.toString(), 0, false))) {
            assertThat(backend.durability()).isEqualTo(DurabilityLevel.PROCESS_CRASH);
        } finally {
            Files.delete(inMemory);
        }
    }

    @Test
    void anUnknownBackendIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> Backends.open("tape", new BackendSettings(directory.toString(), 0, false)))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("file, llpl");
    }
}
