package dev.fulmar.benchmarks.exhaustion;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** A file system in memory of a given size, which can be filled up and freed again. For one thread. */
final class SmallDisk implements AutoCloseable {
    private static final int PIECE_BYTES = 64 << 10;
    private static final int BLOCK_BYTES = 4 << 10;

    private final int mebibytes;
    private Path place = Path.of("not mounted yet");
    private boolean isMounted;

    SmallDisk(int mebibytes) {
        this.mebibytes = mebibytes;
    }

    /** The reason for which no such disk can be made on this machine; empty if it can. */
    static Optional<String> obstacle() {
        try {
            Path place = Files.createTempDirectory("fulmar-disk-");
            try (SmallDisk trial = new SmallDisk(1)) {
                trial.mount(place);
            } finally {
                Files.delete(place);
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("no tmpfs can be mounted: " + e.getMessage());
        }
    }

    void mount(Path directory) throws IOException {
        SystemCommand.run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", directory.toString());
        place = directory;
        isMounted = true;
    }

    /** Takes all the space that is left. */
    void fill() throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        try (OutputStream out =
                Files.newOutputStream(ballast(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (int bytes = PIECE_BYTES; bytes >= BLOCK_BYTES; ) {
                try {
                    out.write(piece, 0, bytes);
                } catch (IOException full) {
                    bytes /= 2;
                }
            }
        }
    }

    boolean isFull() throws IOException {
        return Files.getFileStore(place).getUsableSpace() < BLOCK_BYTES;
    }

    /** Gives back what {@link #fill} took, and makes the disk so many times as large. */
    void free(int times) throws IOException {
        Files.deleteIfExists(ballast());
        SystemCommand.run("mount", "-o", "remount,size=" + times * mebibytes + "m", place.toString());
    }

    private Path ballast() {
        return place.resolve("ballast");
    }

    @Override
    public void close() throws IOException {
        if (isMounted) {
            SystemCommand.run("umount", place.toString());
            isMounted = false;
        }
    }
}
