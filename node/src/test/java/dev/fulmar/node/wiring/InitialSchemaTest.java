package dev.fulmar.node.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InitialSchemaTest {
    private static final TransactionResponse NOT_YET = new Failed(ErrorCode.NOT_CONNECTED, "nobody leads a partition");

    @TempDir
    private Path folder;

    private final List<String> done = new ArrayList<>();
    private final ArrayDeque<TransactionResponse> answers = new ArrayDeque<>();
    private InitialSchema schema = new InitialSchema(this::execute, this::load, List.of());

    @BeforeEach
    void writeFiles() throws IOException {
        Path tables = Files.writeString(
                folder.resolve("tables.sql"),
                "-- the first one\nCREATE TABLE A (ID BIGINT);\nCREATE TABLE B (ID BIGINT);\n");
        Path jar = Files.writeString(folder.resolve("procedures.jar"), "classes");
        Path more = Files.writeString(folder.resolve("more.sql"), "CREATE TABLE C (ID BIGINT);");
        schema = new InitialSchema(
                this::execute, this::load, List.of(tables.toString(), jar.toString(), more.toString()));
    }

    private CompletableFuture<TransactionResponse> execute(String sql) {
        return answer(sql);
    }

    private CompletableFuture<TransactionResponse> load(byte[] jar) {
        return answer("jar of " + jar.length);
    }

    private CompletableFuture<TransactionResponse> answer(String what) {
        TransactionResponse answer = answers.isEmpty() ? new Committed(Kind.NOTHING, 0, new byte[0]) : answers.remove();
        if (answer instanceof Committed) {
            done.add(what);
        }
        return CompletableFuture.completedFuture(answer);
    }

    @Test
    void statementsEndWhereTheyEndInEveryScript() throws IOException {
        Path script = Files.writeString(folder.resolve("script.sql"), """
                CREATE TABLE A (ID BIGINT); CREATE TABLE B (N VARCHAR(9) DEFAULT ';
                -- no comment');
                /* gone; */ CREATE PROCEDURE P AS BEGIN
                  SELECT 1;
                  SELECT 2;
                END;
                """);
        new InitialSchema(this::execute, this::load, List.of(script.toString())).apply();
        assertThat(done)
                .containsExactly(
                        "CREATE TABLE A (ID BIGINT)",
                        "CREATE TABLE B (N VARCHAR(9) DEFAULT ';\n-- no comment')",
                        "CREATE PROCEDURE P AS BEGIN\n  SELECT 1;\n  SELECT 2;\nEND");
    }

    @Test
    void eachPartIsDoneOnceHoweverOftenItHasToWait() {
        TransactionResponse yes = new Committed(Kind.NOTHING, 0, new byte[0]);
        answers.addAll(List.of(NOT_YET, yes, NOT_YET, NOT_YET, yes, NOT_YET));
        assertThat(schema.isBegun()).isFalse();
        int tries = 1;
        while (!applies()) {
            tries++;
        }
        assertThat(tries).isEqualTo(5);
        assertThat(done)
                .containsExactly(
                        "CREATE TABLE A (ID BIGINT)",
                        "CREATE TABLE B (ID BIGINT)",
                        "jar of 7",
                        "CREATE TABLE C (ID BIGINT)");
        assertThat(schema.hasMore()).isFalse();
        assertThat(schema.isBegun()).isTrue();
        schema.apply();
        assertThat(done).hasSize(4);
    }

    private boolean applies() {
        try {
            schema.apply();
            return true;
        } catch (FulmarException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.NOT_CONNECTED);
            assertThat(e).hasMessageContaining("nobody leads a partition");
            return false;
        }
    }

    @Test
    void whatCannotSucceedLaterIsAWrongConfiguration() {
        answers.add(new Failed(ErrorCode.SYNTAX, "no such word"));
        assertThatThrownBy(schema::apply)
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION))
                .hasMessageContaining("tables.sql")
                .hasMessageContaining("no such word");
    }
}
