package dev.fulmar.benchmarks.logflood;

import dev.fulmar.node.audit.AuditFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Lines that nodes wrote for people: their output, their audit logs, and any other file named {@code .log} or set aside
 * from one.
 */
final class LogLines {
    private LogLines() {}

    /** Lines of each such file under the directory but the ZooKeeper's; lines of a stack trace count one by one. */
    static SortedMap<String, Long> count(Path directory) throws IOException {
        SortedMap<String, Long> lines = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path relative = directory.relativize(file);
                if (isLog(file.getFileName().toString()) && !relative.startsWith("zookeeper")) {
                    lines.put(relative.toString(), linesOf(file));
                }
            }
        }
        return lines;
    }

    private static boolean isLog(String name) {
        return name.endsWith(".log") || name.contains(".log.");
    }

    /** Bytes are not decoded: what strangers sent may be in them. A last line without its end counts. */
    private static long linesOf(Path file) throws IOException {
        byte[] content = Files.readAllBytes(file);
        long lines = content.length > 0 && content[content.length - 1] != '\n' ? 1 : 0;
        for (byte each : content) {
            lines += each == '\n' ? 1 : 0;
        }
        return lines;
    }

    /** The audit logs among them. */
    static List<Path> auditLogs(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.endsWith(AuditFile.NAME)).sorted().toList();
        }
    }
}
