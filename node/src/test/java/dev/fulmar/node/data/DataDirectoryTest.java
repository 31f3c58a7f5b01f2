package dev.fulmar.node.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.backend.BackendSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
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
    void tellsWhatItHoldsAndWhetherItIsOpen() {
        assertThat(DataDirectory.layoutOf(folder)).isEmpty();
        assertThat(DataDirectory.isInUse(folder)).isFalse();
        try (DataDirectory open = DataDirectory.open(folder, TWO)) {
            assertThat(DataDirectory.isInUse(open.path())).isTrue();
        }
        assertThat(DataDirectory.isInUse(folder)).isFalse();
        assertThat(DataDirectory.layoutOf(folder)).isEqualTo(TWO);
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
        Files.writeString(file, withChecksum(Files.readString(file).replace("backend=file\n", "")));
        try (DataDirectory before = DataDirectory.open(folder, TWO)) {
            assertThat(before.backend().name()).isEqualTo("file");
        }
    }

    @Test
    void aBackendThatCannotBeHadLeavesNoMark() {
        BackendSettings settings = new BackendSettings(folder.toString(), 1 << 28, true);
        assertRefused(
                ErrorCode.INVALID_CONFIGURATION,
                "there is no backend 'typo'",
                () -> DataDirectory.open(folder, TWO, "typo", settings).close());
        DataDirectory.open(folder, TWO).close();
    }

    @Test
    void isNotItsOwnArchive() throws IOException {
        try (DataDirectory data = DataDirectory.open(folder.resolve("data"), TWO)) {
            Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("data"));
            for (Path same : new Path[] {folder.resolve("data"), folder.resolve("data/../data"), link}) {
                assertRefused(ErrorCode.INVALID_CONFIGURATION, "the data directory itself", () -> data.archive(same));
            }
            assertThat(data.archive(folder.resolve("archive")).list("log")).isEmpty();
            assertThat(data.archive(folder.resolve("data/archive")).list("log")).isEmpty();
        }
    }

    @Test
    void refusesAnUnknownFormat() throws IOException {
        DataDirectory.open(folder, TWO).close();
        Path file = folder.resolve("database.properties");
        Files.writeString(file, withChecksum(Files.readString(file).replace("format=2", "format=4")));
        assertRefused(
                ErrorCode.VERSION_MISMATCH,
                "format 4",
                () -> DataDirectory.open(folder, TWO).close());
    }

    @Test
    void earlierVersionsRefuseADirectoryWithSparePartitions() throws IOException {
        Map<String, String> spare = new TreeMap<>(TWO);
        spare.put("partitions.spare", "1");
        DataDirectory.open(folder, spare).close();
        assertThat(Files.readString(folder.resolve("database.properties"))).contains("format=3", "partitions.spare=1");
        DataDirectory.open(folder, spare).close();
        spare.put("partitions.spare", "0");
        assertRefused(
                ErrorCode.INVALID_CONFIGURATION,
                "partitions.spare=1, not 0",
                () -> DataDirectory.open(folder, spare).close());
        Path other = folder.resolve("other");
        DataDirectory.open(other, spare).close();
        assertThat(Files.readString(other.resolve("database.properties"))).contains("format=2");
    }

    @Test
    void readsTheFirstFormatAndGivesItAChecksum() throws IOException {
        Path file = folder.resolve("database.properties");
        Files.writeString(
                file,
                "# What this directory holds. Written by Fulmar; not to be changed.\nformat=1\npartitioning=hash\npartitions=2\n");
        DataDirectory.open(folder, TWO).close();
        assertThat(file).content().contains("format=2\nbackend=file\n").containsPattern("checksum=[0-9a-f]{8}\n$");
        DataDirectory.open(folder, TWO).close();
    }

    @Test
    void missesNoBitAndMendsOneOfTheTwoFromTheOther() throws IOException {
        DataDirectory.open(folder, TWO).close();
        Path file = folder.resolve("database.properties");
        Path copy = folder.resolve("database.properties.copy");
        byte[] bytes = Files.readAllBytes(file);
        for (int position = 0; position < bytes.length; position++) {
            byte[] damaged = bytes.clone();
            damaged[position] ^= (byte) (1 << position % Byte.SIZE);
            Files.write(file, damaged);
            assertThat(DataDirectory.layoutOf(folder)).isEqualTo(TWO);
            DataDirectory.open(folder, TWO).close();
            assertThat(file).hasBinaryContent(bytes);

            Files.write(copy, damaged);
            DataDirectory.open(folder, TWO).close();
            assertThat(copy).hasBinaryContent(bytes);

            Files.write(file, damaged);
            Files.write(copy, damaged);
            assertRefused(
                    ErrorCode.CORRUPTION,
                    "database.properties",
                    () -> DataDirectory.open(folder, TWO).close());
            assertThat(file).hasBinaryContent(damaged);
            Files.write(file, bytes);
            Files.write(copy, bytes);
        }
    }

    @Test
    void anEarlierDirectoryGetsItsCopy() throws IOException {
        DataDirectory.open(folder, TWO).close();
        Path copy = folder.resolve("database.properties.copy");
        Files.delete(copy);
        DataDirectory.open(folder, TWO).close();
        assertThat(copy).hasSameTextualContentAs(folder.resolve("database.properties"));
        Files.delete(folder.resolve("database.properties"));
        assertRefused(
                ErrorCode.INVALID_CONFIGURATION,
                "--set partitions=2",
                () -> DataDirectory.open(folder, Map.of("partitions", "3")).close());
    }

    private static String withChecksum(String text) {
        String content = text.substring(0, text.lastIndexOf("checksum="));
        CRC32C checksum = new CRC32C();
        checksum.update(content.getBytes(StandardCharsets.ISO_8859_1));
        return content + String.format(Locale.ROOT, "checksum=%08x\n", checksum.getValue());
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
