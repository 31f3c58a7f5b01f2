package dev.fulmar.node.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.access.CallerListener;
import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.durability.backup.BackupFigures;
import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.scram.ScramVerifier;
import dev.fulmar.node.backup.BackupDirectory;
import dev.fulmar.node.backup.Restore;
import dev.fulmar.node.config.NodeConfiguration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Users, roles and rights outlive the process, in checkpoints and in backups too; passwords are nowhere. */
@Timeout(180)
class AccessRecoveryTest {
    private static final String PASSWORD = "correct-horse-battery";

    @TempDir
    private Path folder;

    private final List<String> witnessed = new ArrayList<>();

    private NodeConfiguration configuration(String data) {
        return NodeConfiguration.of(Map.of(
                "data",
                folder.resolve(data).toString(),
                "listen",
                "127.0.0.1:0",
                "jmx",
                "false",
                "memory.limit",
                "64m",
                "partitions",
                "2",
                "sites",
                "1"));
    }

    private static TransactionResponse run(FulmarNode node, Caller caller, String text) throws Exception {
        byte[] none = new ParameterWriter(64, 10_000).toByteArray();
        return node.database()
                .submit(new TransactionRequest.AdHoc(0, 0, 0, ReadConsistency.DECLARED, text, none, caller))
                .get(30, TimeUnit.SECONDS);
    }

    private void sql(FulmarNode node, String text) throws Exception {
        Caller witness = Caller.trusted((what, outcome) -> witnessed.add(what + " " + outcome));
        assertThat(run(node, witness, text)).as(text).isInstanceOf(TransactionResponse.Committed.class);
    }

    private void create(FulmarNode node) throws Exception {
        sql(node, "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)");
        sql(node, "CREATE TABLE other (id BIGINT NOT NULL PRIMARY KEY)");
        sql(node, "CREATE PROCEDURE count_t AS SELECT COUNT(*) FROM t");
        sql(node, "CREATE USER ann PASSWORD 'an old password'");
        sql(node, "CREATE ROLE reader");
        sql(node, "GRANT SELECT ON t TO reader");
        sql(node, "GRANT reader TO ann");
        sql(node, "GRANT EXECUTE ON PROCEDURE count_t TO ann");
        sql(node, "ALTER USER ann PASSWORD '" + PASSWORD + "'");
    }

    private static void check(FulmarNode node) throws Exception {
        Caller ann = Caller.user("ann", CallerListener.none());
        assertThat(run(node, ann, "SELECT COUNT(*) FROM t")).isInstanceOf(TransactionResponse.Committed.class);
        assertDenied(run(node, ann, "SELECT COUNT(*) FROM other"));
        assertDenied(run(node, ann, "INSERT INTO t VALUES (1)"));
        ScramVerifier verifier = node.database().catalog().access().verifierOrDecoy("ann");
        assertThat(ScramVerifier.of(PASSWORD, verifier.salt(), verifier.iterations()))
                .isEqualTo(verifier);
    }

    private static void assertDenied(TransactionResponse response) {
        assertThat(response)
                .isInstanceOfSatisfying(
                        TransactionResponse.Failed.class,
                        failed -> assertThat(failed.code()).isEqualTo(ErrorCode.PERMISSION_DENIED));
    }

    @Test
    void theyAreThereAfterARestartAndInABackup() throws Exception {
        try (FulmarNode node = FulmarNode.start(configuration("data"))) {
            create(node);
            check(node);
            backUp(node);
        }
        try (FulmarNode node = FulmarNode.start(configuration("data"))) {
            check(node);
        }
        new Restore(
                        new Restore.Request(
                                folder.resolve("backup"),
                                folder.resolve("new"),
                                0,
                                "",
                                List.of(),
                                OptionalLong.empty(),
                                Map.of("memory.limit", "64m")),
                        line -> {})
                .run();
        try (FulmarNode node = FulmarNode.start(configuration("new"))) {
            check(node);
        }
        assertThat(filesWith(PASSWORD)).isEmpty();
        assertThat(filesWith("an old password")).isEmpty();
        assertThat(filesWith("CREATE USER"))
                .as("the search finds what is there")
                .isNotEmpty();
        assertThat(witnessed)
                .contains("CREATE USER ANN DONE", "GRANT SELECT ON TABLE \"T\" TO \"READER\" DONE")
                .noneMatch(line -> line.contains("SCRAM") || line.contains("password"));
    }

    private void backUp(FulmarNode node) throws InterruptedException {
        Durability durability = Objects.requireNonNull(node.database().durability());
        BackupFigures figures = BackupDirectory.begin(
                durability,
                folder.resolve("backup"),
                folder.resolve("data"),
                node.configuration().layout());
        while (!figures.isOver()) {
            Thread.sleep(5);
        }
        assertThat(figures.failure()).isEmpty();
    }

    private List<Path> filesWith(String text) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text)) {
                    found.add(file);
                }
            }
        }
        return found;
    }

    @Test
    void rightsAreThoseOfNowAndEndWithTheUser() throws Exception {
        try (FulmarNode node = FulmarNode.start(configuration("data"))) {
            create(node);
            Caller ann = Caller.user("ann", CallerListener.none());
            assertThat(run(node, ann, "SELECT id FROM t")).isInstanceOf(TransactionResponse.Committed.class);
            sql(node, "REVOKE SELECT ON t FROM reader");
            assertDenied(run(node, ann, "SELECT id FROM t"));
            sql(node, "GRANT SELECT ON ALL TABLES TO ann");
            assertThat(run(node, ann, "SELECT id FROM t")).isInstanceOf(TransactionResponse.Committed.class);
            assertThat(run(node, ann, "VALUES (1)")).isInstanceOf(TransactionResponse.Committed.class);
            sql(node, "DROP USER ann");
            assertDenied(run(node, ann, "SELECT id FROM t"));
            assertDenied(run(node, ann, "VALUES (1)"));
        }
    }

    @Test
    void aTableThatComesLaterUnderTheSameNameHasNoRightsYet() throws Exception {
        try (FulmarNode node = FulmarNode.start(configuration("data"))) {
            create(node);
            sql(node, "DROP PROCEDURE count_t");
            sql(node, "DROP TABLE t");
            sql(node, "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)");
            assertDenied(run(node, Caller.user("ann", CallerListener.none()), "SELECT id FROM t"));
        }
    }
}
