package dev.fulmar.benchmarks.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory that goes with its content. It lies in {@code FULMAR_DATA}, where that names a directory on the device
 * that is to be measured.
 */
public record TemporaryDirectory(Path path) implements AutoCloseable {
    private static final String PLACE = "FULMAR_DATA";

    public static TemporaryDirectory create(String prefix) throws IOException {
        return new TemporaryDirectory(Files.createTempDirectory(place(), prefix));
    }

    /** Where such directories lie. */
    public static Path place() {
        String place = System.getenv(PLACE);
        return Path.of(place == null ? System.getProperty("java.io.tmpdir") : place);
    }

    @Override
    public void close() throws IOException {
        List<Path> found;
        try (Stream<Path> tree = Files.walk(path)) {
            found = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : found) {
            Files.delete(each);
        }
    }
}
