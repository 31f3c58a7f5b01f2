package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.it.sql.SmallNode;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The shell of PostgreSQL, where it is installed. */
@EnabledIf("isInstalled")
class PsqlTest {
    private final FulmarNode node = SmallNode.start(2);

    static boolean isInstalled() {
        return Files.isExecutable(Path.of("/usr/bin/psql"));
    }

    @AfterEach
    void stop() {
        node.close();
    }

    /** The output of psql for a script, with errors, without headings. */
    private String psql(String script, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "/usr/bin/psql",
                "-X",
                "-q",
                "-A",
                "-t",
                "-h",
                "127.0.0.1",
                "-p",
                Integer.toString(node.postgresAddress().orElseThrow().port()),
                "-U",
                "ann",
                "-d",
                "fulmar"));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var input = process.outputWriter(StandardCharsets.UTF_8)) {
            input.write(script);
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return output.strip();
    }

    @Test
    void runsAScript() throws IOException, InterruptedException {
        assertThat(psql("""
                        CREATE TABLE city (id integer PRIMARY KEY, name text);
                        INSERT INTO city VALUES (1, 'Oslo'), (2, 'It''s'), (3, NULL);
                        BEGIN;
                        UPDATE city SET name = 'Rome' WHERE id = 1;
                        ROLLBACK;
                        SELECT * FROM city ORDER BY id; -- as it was
                        SELECT count(*) AS "Count" FROM city;
                        """)).isEqualTo("1|Oslo\n2|It's\n3|\n3");
    }

    @Test
    void callsProcedures() throws IOException, InterruptedException {
        assertThat(psql("""
                        CREATE TABLE city (id integer PRIMARY KEY, name text);
                        CREATE PROCEDURE found AS INSERT INTO city VALUES (?, ?);
                        CREATE PROCEDURE named AS SELECT id, name FROM city WHERE name = ?;
                        CALL found(1, 'Oslo');
                        CALL named('Oslo');
                        SELECT * FROM found(2, 'Rome');
                        SELECT * FROM named('Rome');
                        """)).isEqualTo("1|Oslo\n1\n2|Rome");
    }

    @Test
    void pointsAtErrors() throws IOException, InterruptedException {
        assertThat(psql("SELECT 1;\nSELECT nothing\nFROM nowhere;\nSELECT 2;\n"))
                .startsWith("1\nERROR:")
                .contains("LINE 2: FROM nowhere")
                .endsWith("2");
    }

    @Test
    void showsTheStateOfATransaction() throws IOException, InterruptedException {
        assertThat(psql("""
                        BEGIN;
                        SELECT broken;
                        SELECT 1;
                        COMMIT;
                        SELECT 2;
                        """, "-e")).contains("current transaction is aborted").endsWith("2");
    }

    @Test
    void aFileIsOneTransactionIfItIsAskedFor() throws IOException, InterruptedException {
        psql("CREATE TABLE t (id integer PRIMARY KEY);");
        psql("INSERT INTO t VALUES (1);\nINSERT INTO t VALUES (1);\n", "-1");
        assertThat(psql("SELECT count(*) FROM t;")).isEqualTo("0");
    }

    @Test
    void connectsAgain() throws IOException, InterruptedException {
        assertThat(psql("SELECT 1;\n\\c\nSELECT 2;")).contains("1").endsWith("2");
    }
}
