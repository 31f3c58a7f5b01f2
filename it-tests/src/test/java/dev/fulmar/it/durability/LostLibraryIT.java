package dev.fulmar.it.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.benchmarks.experiment.ServerProcess;
import dev.fulmar.benchmarks.workload.Statements;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.File;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A library disappears under a running node, as an update in place makes it. One that is deleted is still open and does
 * no harm; of one that is truncated, classes that are not loaded yet are gone, and the node ends as broken.
 */
@Timeout(120)
final class LostLibraryIT {
    private static final int BROKEN = 70;
    private static final int ROWS = 20;

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private Path data = folder;
    private Path library = folder;
    private String classPath = "";

    /** The node reads a copy of the library, and all others where they are. */
    @BeforeEach
    void copyTheLibrary() throws Exception {
        data = folder.resolve("data");
        Path original = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(each -> each.getFileName().toString().startsWith("calcite-core-"))
                .findFirst()
                .orElseThrow();
        library = Files.copy(original, folder.resolve(original.getFileName().toString()));
        classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(each -> each.equals(original.toString()) ? library.toString() : each)
                .collect(Collectors.joining(File.pathSeparator));
    }

    @Test
    void aDeletedLibraryDoesNoHarmAndATruncatedOneEndsTheNode() throws Exception {
        try (ServerProcess server = ServerProcess.startFrom(classPath, data, "--partitions", "1", "--memory", "64m");
                FileChannel content = FileChannel.open(library, StandardOpenOption.WRITE);
                FulmarClient client = server.connect(8)) {
            client.execute("CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, v BIGINT NOT NULL)");
            for (int row = 0; row < ROWS; row++) {
                client.execute("INSERT INTO t VALUES (" + row + ", 1)");
            }
            Files.delete(library);
            assertThat(Statements.longOf(client, "SELECT SUM(v) FROM t WHERE id IN (SELECT v - 1 + id FROM t)"))
                    .isEqualTo(ROWS);

            content.truncate(0);
            assertThatThrownBy(() -> client.execute("SELECT v, COUNT(*), RANK() OVER (ORDER BY SUM(id)) FROM t"
                            + " GROUP BY CUBE (v, id) UNION ALL SELECT 1, 2, 3"))
                    // The planner answers before it hands the error on; the node may end before that is sent.
                    .isInstanceOfSatisfying(
                            FulmarException.class,
                            failure -> assertThat(failure.code())
                                    .as(failure.getMessage())
                                    .isIn(ErrorCode.INTERNAL, ErrorCode.OUTCOME_UNKNOWN));
            assertThat(server.awaitEnd()).isEqualTo(BROKEN);
        }
        try (ServerProcess whole = ServerProcess.start(data, "--partitions", "1", "--memory", "64m");
                FulmarClient client = whole.connect(8)) {
            assertThat(Statements.longOf(client, "SELECT SUM(v) FROM t")).isEqualTo(ROWS);
        }
    }
}
