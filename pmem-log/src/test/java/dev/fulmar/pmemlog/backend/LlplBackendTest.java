package dev.fulmar.pmemlog.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** LLPL on memory that is not persistent, where its libraries are installed. */
class LlplBackendTest extends BackendContract {
    private static final long BYTES = 16 << 20;

    @TempDir
    private Path directory = Path.of("");

    @Override
    protected Backend open() {
        try {
            return Backends.open("llpl", new BackendSettings(directory.toString(), BYTES, true));
        } catch (FulmarException e) {
            Assumptions.assumeFalse(e.getCause() instanceof LinkageError, e.getMessage());
            throw e;
        }
    }

    /** What such memory gives, and more than that nobody may be told. */
    @Override
    protected DurabilityLevel expected() {
        return DurabilityLevel.PROCESS_CRASH;
    }

    @Test
    void memoryThatIsNotPersistentIsRefusedUnlessItMayBe() {
        assertThatThrownBy(() -> Backends.open("llpl", new BackendSettings(directory.toString(), BYTES, false)))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("is not on persistent memory");
    }

    @Test
    void thePoolIsItsOwners() throws IOException {
        try (Backend backend = open()) {
            assertThat(backend.isEmulated()).isTrue();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("llpl.pool"))))
                    .isEqualTo("rw-------");
        }
    }
}
