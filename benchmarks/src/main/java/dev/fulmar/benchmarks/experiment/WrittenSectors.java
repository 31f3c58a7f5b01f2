package dev.fulmar.benchmarks.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Bytes written as the kernel counts them: those given to a directory's device, by any process, and those of pages that
 * this process made dirty. The latter counts a page, or a whole group of pages that the kernel keeps together, each
 * time it becomes dirty, so it may be far more than what is written.
 */
record WrittenSectors(long device, long process) {
    private static final int SECTOR_BYTES = 512;
    private static final int MOUNT_DEVICE = 2;
    private static final int MOUNT_POINT = 4;
    private static final int SECTORS_WRITTEN = 9;

    static WrittenSectors of(Path directory) throws IOException {
        return new WrittenSectors(deviceBytes(numberOf(directory.toRealPath())), processBytes());
    }

    /** Major and minor number of the device that the directory is mounted from. */
    private static String numberOf(Path directory) throws IOException {
        return lines("/proc/self/mountinfo")
                .filter(mount -> directory.startsWith(mount.get(MOUNT_POINT)))
                .max(Comparator.comparingInt(mount -> mount.get(MOUNT_POINT).length()))
                .orElseThrow(() -> new IOException("no mount holds " + directory))
                .get(MOUNT_DEVICE);
    }

    /** 0 of memory, which is no device. */
    private static long deviceBytes(String number) throws IOException {
        return lines("/proc/diskstats")
                .filter(device -> number.equals(device.get(0) + ":" + device.get(1)))
                .mapToLong(device -> Long.parseLong(device.get(SECTORS_WRITTEN)) * SECTOR_BYTES)
                .findFirst()
                .orElse(0);
    }

    private static long processBytes() throws IOException {
        return lines("/proc/self/io")
                .filter(line -> line.getFirst().equals("write_bytes:"))
                .mapToLong(line -> Long.parseLong(line.get(1)))
                .findFirst()
                .orElseThrow(() -> new IOException("/proc/self/io does not tell the bytes written"));
    }

    private static Stream<List<String>> lines(String file) throws IOException {
        return Files.readAllLines(Path.of(file)).stream()
                .map(line -> List.of(line.strip().split("\\s+")));
    }
}
