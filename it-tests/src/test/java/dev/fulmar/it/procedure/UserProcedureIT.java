package dev.fulmar.it.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A procedure written against the published API loads, runs, and is replaced while clients call it. */
final class UserProcedureIT {
    private static final int MEMBERS = 20;
    private static final int CALLS_AROUND_REPLACEMENT = 20_000;

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    @Test
    void aJarIsLoadedAndReplacedWhileItIsCalled() throws Exception {
        Path first = UserProject.jar("loyalty-procedures", folder);
        Path next = UserProject.jar("loyalty-procedures-next", folder);
        try (LocalDatabase database = LocalDatabase.start(Map.of("partitions", "4", "sites", "1"));
                FulmarClient client = database.connect(64)) {
            createMembers(client);
            client.loadClasses(first);
            client.execute("CREATE PROCEDURE AddPoints PARTITION ON TABLE members COLUMN id"
                    + " FROM CLASS com.example.loyalty.AddPoints");
            assertThat(client.call("AddPoints", 1L, 5L).longValue()).isEqualTo(5);
            assertThatThrownBy(() -> client.call("AddPoints", 1L, -5L))
                    .isInstanceOfSatisfying(FulmarException.class, problem -> {
                        assertThat(problem.code()).isEqualTo(ErrorCode.USER_ABORT);
                        assertThat(problem).hasMessageContaining("points must be positive");
                    });

            long before = sum(client);
            List<CompletableFuture<CallResult>> calls = new ArrayList<>();
            for (int i = 0; i < CALLS_AROUND_REPLACEMENT; i++) {
                calls.add(client.callAsync("AddPoints", (long) (i % MEMBERS), 1L));
                if (i == CALLS_AROUND_REPLACEMENT / 2) {
                    client.loadClasses(next);
                }
            }
            for (CompletableFuture<CallResult> call : calls) {
                call.join();
            }
            long added = sum(client) - before;
            assertThat(added).isBetween((long) CALLS_AROUND_REPLACEMENT, 2L * CALLS_AROUND_REPLACEMENT);
            assertThat(client.call("AddPoints", 2L, 1L).longValue()
                            - client.execute("SELECT points FROM members WHERE id = 2")
                                    .table()
                                    .first()
                                    .getLong(0))
                    .isZero();
            long balance = client.call("AddPoints", 3L, 1L).longValue();
            assertThat(client.call("AddPoints", 3L, 1L).longValue()).isEqualTo(balance + 2);
        }
    }

    private static void createMembers(FulmarClient client) {
        client.execute("CREATE TABLE members (id BIGINT NOT NULL, points BIGINT NOT NULL, PRIMARY KEY (id))");
        client.execute("PARTITION TABLE members ON COLUMN id");
        for (long id = 0; id < MEMBERS; id++) {
            client.execute("INSERT INTO members VALUES (?, 0)", id);
        }
    }

    private static long sum(FulmarClient client) {
        return client.execute("SELECT SUM(points) FROM members").table().first().getLong(0);
    }
}
