package dev.fulmar.foundation.storage.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.contract.StorageContract;
import dev.fulmar.foundation.storage.Storage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileStorageTest extends StorageContract {
    @TempDir
    private Path directory = Path.of("");

    @Override
    protected Storage storage() {
        try {
            return new FileStorage(directory.resolve("root"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aSymbolicLinkIsNotFollowed() throws IOException {
        Storage storage = storage();
        Files.writeString(directory.resolve("secret"), "secret");
        Files.createSymbolicLink(directory.resolve("root/link"), directory.resolve("secret"));
        Files.createSymbolicLink(directory.resolve("root/up"), directory);
        assertThatThrownBy(() -> storage.open("link")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> storage.open("up/secret")).isInstanceOf(IOException.class);
        assertThat(storage.list("")).isEmpty();
    }

    /** The system's exception names the path and nothing else. */
    @Test
    void aMessageSaysWhatIsWrong() throws IOException {
        Storage readOnly = FileStorage.readOnly(directory);
        assertThatThrownBy(() -> readOnly.open("absent"))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("absent")
                .hasMessageContaining("there is no such file");
    }
}
