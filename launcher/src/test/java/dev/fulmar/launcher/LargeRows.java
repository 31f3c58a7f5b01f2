package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests on a node with large rows, for whose readers nothing is held in the end. */
abstract class LargeRows {
    static final int LARGE_BYTES = 100_000;
    static final int LARGE_ROWS = 2_000;
    static final long MEBIBYTE = 1 << 20;
    static final String ALL = "SELECT id, version, content FROM document";

    private final int partitions;
    private final Map<String, String> settings;
    LocalDatabase database;
    FulmarClient client;

    /** @param more settings of the node */
    LargeRows(int partitions, Map<String, String> more) {
        this.partitions = partitions;
        this.settings = new TreeMap<>(more);
        settings.putAll(Map.of(
                "partitions", Integer.toString(partitions),
                "sites", "1",
                "memory.limit", "1g",
                "jmx", "false",
                "requests.memory-limit", "32m"));
    }

    /** Whether the node has nothing open for clients. */
    abstract boolean isAtRest();

    @BeforeEach
    void start() {
        database = LocalDatabase.start(settings);
        client = database.connect(100);
        client.execute("CREATE TABLE document (id BIGINT NOT NULL PRIMARY KEY, version BIGINT NOT NULL,"
                + " content VARBINARY(200000))");
        client.execute("PARTITION TABLE document ON COLUMN id");
    }

    @AfterEach
    void stop() {
        await(this::isAtRest);
        await(() -> readers() == 0);
        client.close();
        await(() -> database.database().underWay().underWayBytes() == 0);
        database.close();
    }

    static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) { // the test's time-out ends it
            Thread.onSpinWait();
        }
    }

    final long readers() {
        long readers = 0;
        for (int partition = 0; partition < partitions; partition++) {
            readers += database.database()
                    .figures()
                    .partition(partition)
                    .snapshotsActive
                    .get();
        }
        return readers;
    }

    final void fill(int rows, int bytes) {
        List<CompletableFuture<CallResult>> sent = new ArrayList<>();
        for (int id = 0; id < rows; id++) {
            byte[] content = new byte[bytes];
            Arrays.fill(content, (byte) id);
            sent.add(client.callAsync("DOCUMENT.insert", id, 1, content));
        }
        sent.forEach(CompletableFuture::join);
    }

    static void assertFails(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        failure -> assertThat(failure.code())
                                .as(failure.getMessage())
                                .isEqualTo(code));
    }
}
