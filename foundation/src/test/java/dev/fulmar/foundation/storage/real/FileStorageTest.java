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
import java.util.Arrays;
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

    @Test
    void aHoleReadsAsZerosAndTheFileStaysAsLong() throws IOException {
        Path file = directory.resolve("file");
        byte[] content = new byte[1 << 16];
        Arrays.fill(content, (byte) 7);
        Files.write(file, content);
        if (FileHoles.make(file, 1 << 14, 1 << 15)) {
            Arrays.fill(content, 1 << 14, 3 << 14, (byte) 0);
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(content);
        assertThat(FileHoles.make(directory.resolve("absent"), 0, 1)).isFalse();
        assertThat(FileHoles.make(file, 0, 0)).isFalse();
    }

    @Test
    void aFileThatIsToBeReadLosesNothing() throws IOException {
        Files.writeString(directory.resolve("file"), "content");
        try (Storage.StorageFile file = FileStorage.readOnly(directory).open("file")) {
            assertThatThrownBy(() -> file.discard(0, 7)).isInstanceOf(IOException.class);
        }
        assertThat(directory.resolve("file")).hasContent("content");
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
