package dev.fulmar.it.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.client.transfer.DatabaseDump;
import dev.fulmar.client.transfer.DatabaseLoad;
import dev.fulmar.client.transfer.TransferProgress;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import dev.fulmar.sql.text.ScriptSplitter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a dump has is all that a new database needs: users log in with the passwords that they had, and procedures of
 * jars run.
 */
@Timeout(180)
class CompleteDumpTest {
    private static final TransferProgress QUIET = (table, rows, rejected) -> {};
    private static final String OLD = "an old administrator";
    private static final String NEW = "another administrator";
    private static final String ANN = "it's ann's password";

    @TempDir
    private Path folder;

    private FulmarNode start(int partitions, String password) throws IOException {
        Path administrator = Files.createFile(
                folder.resolve("administrator" + partitions),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(administrator, "root:" + password);
        return FulmarNode.start(NodeConfiguration.of(Map.of(
                "listen",
                "127.0.0.1:0",
                "authentication",
                "true",
                "security.administrator",
                administrator.toString(),
                "jmx",
                "false",
                "memory.limit",
                "64m",
                "partitions",
                Integer.toString(partitions),
                "sites",
                "1")));
    }

    private static FulmarClient connect(FulmarNode node, String user, String password) {
        return FulmarClient.builder()
                .hosts("127.0.0.1:" + node.port())
                .user(user, password)
                .connect();
    }

    private static List<String> rows(FulmarClient client, String call) {
        ResultTable table = client.call("@Catalog", call).table();
        List<String> rows = new ArrayList<>();
        while (table.next()) {
            rows.add(table.getString(0) + " " + table.getString(1) + " " + table.getString(2) + " "
                    + (table.columnCount() > 3 ? table.getString(3) : ""));
        }
        return rows;
    }

    private void create(FulmarClient client) throws IOException {
        client.script("CREATE TABLE members (id BIGINT NOT NULL, points BIGINT NOT NULL, PRIMARY KEY (id));"
                        + " PARTITION TABLE members ON COLUMN id; INSERT INTO members VALUES (1, 10), (2, 20);"
                        + " CREATE ROLE clerk; CREATE ROLE chief; GRANT SELECT ON members TO clerk; GRANT clerk TO chief;"
                        + " CREATE USER ann PASSWORD 'it''s ann''s password'; GRANT chief TO ann;"
                        + " CREATE USER \"b o b\" PASSWORD 'the password of bob'; GRANT DDL TO \"b o b\";"
                        + " GRANT INSERT ON ALL TABLES TO \"b o b\"")
                .orThrow();
        client.loadClasses(UserProject.jar("loyalty-procedures-next", folder));
        client.loadClasses(UserProject.jar("loyalty-procedures", folder));
        client.execute("CREATE PROCEDURE AddPoints PARTITION ON TABLE members COLUMN id"
                + " FROM CLASS com.example.loyalty.AddPoints");
        client.execute("GRANT EXECUTE ON PROCEDURE AddPoints TO ann");
        client.execute("COMMENT ON PROCEDURE AddPoints IS 'of a jar'");
    }

    private static void load(FulmarClient client, Path directory) throws IOException {
        List<String> schema =
                new ArrayList<>(ScriptSplitter.split(Files.readString(directory.resolve(DatabaseDump.SCHEMA_FILE))));
        schema.addAll(ScriptSplitter.split(Files.readString(directory.resolve(DatabaseDump.USERS_FILE))));
        new DatabaseLoad(client, directory, QUIET).run(schema, false, 0, 10);
    }

    @Test
    void usersAndJarsComeBack() throws IOException {
        Path directory = folder.resolve("dump");
        List<String> users;
        List<String> grants;
        long points;
        try (FulmarNode node = start(2, OLD);
                FulmarClient client = connect(node, "root", OLD)) {
            create(client);
            points = client.call("AddPoints", 1L, 5L).longValue();
            client.call("AddPoints", 1L, 5L);
            new DatabaseDump(client, directory, 2, true, QUIET).run(List.of());
            users = rows(client, "USERS");
            grants = rows(client, "GRANTS");
        }
        Path secrets = directory.resolve(DatabaseDump.USERS_FILE);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secrets)))
                .isEqualTo("rw-------");
        assertThat(Files.readString(secrets)).contains("SCRAM-SHA-256$").doesNotContain("password of bob");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("MEMBERS.csv", "procedures-001.jar", "schema.sql", "users.sql");
        }
        try (FulmarNode node = start(3, NEW);
                FulmarClient client = connect(node, "root", NEW)) {
            load(client, directory);
            assertThat(rows(client, "USERS")).isEqualTo(users);
            assertThat(rows(client, "GRANTS")).containsAll(grants);
            try (FulmarClient ann = connect(node, "ann", ANN)) {
                assertThat(ann.call("AddPoints", 1L, 5L).longValue()).isEqualTo(points + 10);
                assertThat(ann.execute("SELECT COUNT(*) FROM members")
                                .table()
                                .first()
                                .getLong(0))
                        .isEqualTo(2);
            }
            try (FulmarClient bob = connect(node, "B O B", "the password of bob")) {
                bob.execute("CREATE TABLE more (n INTEGER)");
                assertThatThrownBy(() -> new DatabaseDump(bob, folder.resolve("other"), 1, true, QUIET).run(List.of()))
                        .isInstanceOfSatisfying(FulmarException.class, e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
                            assertThat(e).hasMessageContaining("--without-users");
                        });
            }
        }
    }
}
