package dev.fulmar.benchmarks.logflood;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogLinesTest {
    @TempDir
    private Path directory;

    private void write(String file, byte[] content) throws IOException {
        Path path = directory.resolve(file);
        Files.createDirectories(path.getParent());
        Files.write(path, content);
    }

    @Test
    void everyLineOfLogsAndAuditLogsCountsAlsoOfStacksAndOfAnEndThatIsNotWhole() throws IOException {
        write("node1.log", "ready\nfailed\n\tat a\n\tat b\ncut".getBytes(StandardCharsets.UTF_8));
        write("node2.log", new byte[0]);
        write("node1/data/audit.log", "{}\n{}\n".getBytes(StandardCharsets.UTF_8));
        write("node1/data/audit.log.damaged-1", new byte[] {(byte) 0xff, '\n'});
        assertThat(LogLines.count(directory))
                .isEqualTo(Map.of(
                        "node1.log", 5L,
                        "node2.log", 0L,
                        "node1/data/audit.log", 2L,
                        "node1/data/audit.log.damaged-1", 1L));
    }

    @Test
    void filesOfDataAndOfTheZooKeeperAreNoLogs() throws IOException {
        write("node1/data/log/segment", "\n\n".getBytes(StandardCharsets.UTF_8));
        write("zookeeper/version-2/server.log", "\n\n".getBytes(StandardCharsets.UTF_8));
        assertThat(LogLines.count(directory)).isEmpty();
    }

    @Test
    void auditLogsAreFoundWhereverTheyAre() throws IOException {
        write("node1/data/audit.log", new byte[0]);
        write("node2/data/audit.log", new byte[0]);
        write("node2.log", new byte[0]);
        assertThat(LogLines.auditLogs(directory))
                .containsExactly(directory.resolve("node1/data/audit.log"), directory.resolve("node2/data/audit.log"));
    }
}
