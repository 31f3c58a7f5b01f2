package dev.fulmar.benchmarks.powercut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import dev.fulmar.foundation.storage.real.FileStorage;
import dev.fulmar.node.data.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whether the calls of {@link FileStorage} reach the files in memory as what they are. Skipped where files cannot be
 * mounted.
 */
final class FuseMountTest {
    private static final int BLOCK = 4096;

    @TempDir
    private Path place = Path.of("replaced by JUnit");

    private ForgetfulFiles files = new ForgetfulFiles();

    @BeforeEach
    void canMount() throws IOException {
        String obstacle = FuseMount.obstacle().orElse("");
        assumeTrue(obstacle.isEmpty(), obstacle);
    }

    private FuseMount mount(Lie lie) throws IOException {
        return FuseMount.mount(files, place, new Device(lie, 1));
    }

    @Test
    void synchronousWritesAndForcesSurvive() throws IOException {
        writeAndCut(Lie.NONE);
        try (FuseMount _ = mount(Lie.NONE)) {
            Storage storage = new FileStorage(place.resolve("data"));
            assertThat(storage.list("log")).containsExactly("forced", "renamed", "synchronous");
            assertThat(read(storage, "log/synchronous", 0)).isEqualTo("synchronous");
            assertThat(read(storage, "log/synchronous", BLOCK)).isEmpty();
            assertThat(read(storage, "log/forced", 0)).isEqualTo("forced");
            assertThat(read(storage, "log/renamed", 0)).isEqualTo("renamed");
        }
    }

    @Test
    void directoriesForTheOwnerOnlySurviveWithTheirParents() throws IOException {
        try (FuseMount _ = mount(Lie.NONE)) {
            OwnerOnly.createDirectory(place.resolve("databases").resolve("data"));
            files = files.cut(Survivors.none());
        }
        try (FuseMount _ = mount(Lie.NONE)) {
            assertThat(place.resolve("databases").resolve("data")).isDirectory();
        }
    }

    @Test
    void aLieAboutSynchronousWritesLosesThem() throws IOException {
        writeAndCut(Lie.SYNCHRONOUS_WRITES);
        try (FuseMount _ = mount(Lie.NONE)) {
            Storage storage = new FileStorage(place.resolve("data"));
            assertThat(read(storage, "log/synchronous", 0)).isEmpty();
            assertThat(read(storage, "log/forced", 0)).isEqualTo("forced");
        }
    }

    @Test
    void aLieAboutForcesLosesWhatTheyForced() throws IOException {
        writeAndCut(Lie.FORCES);
        try (FuseMount _ = mount(Lie.NONE)) {
            Storage storage = new FileStorage(place.resolve("data"));
            assertThat(read(storage, "log/synchronous", 0)).isEqualTo("synchronous");
            assertThat(read(storage, "log/forced", 0)).isEmpty();
        }
    }

    @Test
    void aLieAboutDirectoriesLosesAll() throws IOException {
        writeAndCut(Lie.DIRECTORY_FORCES);
        try (FuseMount _ = mount(Lie.NONE)) {
            assertThat(new FileStorage(place.resolve("data")).list("log")).isEmpty();
        }
    }

    private void writeAndCut(Lie lie) throws IOException {
        try (FuseMount _ = mount(lie)) {
            Storage storage = new FileStorage(place.resolve("data"));
            try (StorageFile file = storage.openSynchronous("log/synchronous")) {
                write(file, 0, "synchronous");
            }
            try (StorageFile file = storage.open("log/synchronous")) {
                write(file, BLOCK, "not forced");
            }
            try (StorageFile file = storage.open("log/forced")) {
                write(file, 0, "forced");
                file.force();
                write(file, 0, "FORCED");
            }
            try (StorageFile file = storage.open("log/new")) {
                write(file, 0, "renamed");
                file.force();
            }
            storage.rename("log/new", "log/renamed");
            storage.forceDirectory("log");
            storage.delete("log/forced");
            storage.open("log/without-a-forced-name").close();
            files = files.cut(Survivors.none());
        }
    }

    private static void write(StorageFile file, long position, String text) throws IOException {
        file.write(position, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** The text from the position up to the first zero. */
    private static String read(Storage storage, String name, long position) throws IOException {
        try (StorageFile file = storage.open(name)) {
            ByteBuffer bytes = ByteBuffer.allocate(BLOCK);
            int length = file.read(position, bytes);
            String text = new String(bytes.array(), 0, length, StandardCharsets.UTF_8);
            int end = text.indexOf('\0');
            return end < 0 ? text : text.substring(0, end);
        }
    }
}
