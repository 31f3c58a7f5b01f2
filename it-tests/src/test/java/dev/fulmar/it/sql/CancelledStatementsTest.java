package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.RunningCall;
import dev.fulmar.client.ScriptResult;
import dev.fulmar.client.StatementCall;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements end when their client wants it or when their time is over, and had no effect then. */
@Timeout(120)
class CancelledStatementsTest {
    private static final int ROWS = 400;

    /** 400 * 400 * 400 * 400 rows are looked at. */
    private static final String ENDLESS = "(SELECT COUNT(*) FROM T A, T B, T C, T D WHERE A.N + B.N + C.N + D.N < 0)";

    private static FulmarNode node(int partitions) {
        return FulmarNode.start(NodeConfiguration.of(Map.of(
                "node",
                "6" + partitions,
                "listen",
                "127.0.0.1:0",
                "partitions",
                Integer.toString(partitions),
                "sites",
                "1",
                "memory.limit",
                "256m",
                "jmx",
                "false")));
    }

    private static FulmarClient filled(FulmarNode node) {
        FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port());
        client.script("CREATE TABLE T (N INTEGER NOT NULL PRIMARY KEY, M INTEGER); PARTITION TABLE T ON COLUMN N;")
                .orThrow();
        client.execute("INSERT INTO T VALUES (?, 0)", 0); // the others need not be compiled
        List<StatementCall> calls = new ArrayList<>();
        for (int i = 1; i < ROWS; i++) {
            calls.add(client.statement("INSERT INTO T VALUES (?, 0)").with(i));
        }
        calls.stream().map(StatementCall::start).toList().forEach(RunningCall::await);
        return client;
    }

    private static ErrorCode codeOf(RunningCall call) {
        FulmarException failure = catchThrowableOfType(FulmarException.class, call::await);
        assertThat(failure).as("the statement fails").isNotNull();
        return failure.code();
    }

    private static long changed(FulmarClient client) {
        client.execute("SELECT COUNT(*) FROM T");
        var table = client.execute("SELECT COUNT(*) FROM T WHERE M <> 0").table();
        table.next();
        return table.getLong(0);
    }

    @ParameterizedTest(name = "on {0}")
    @ValueSource(ints = {1, 3})
    void aQueryEndsSoonWhenItIsCancelled(int partitions) throws Exception {
        try (FulmarNode node = node(partitions);
                FulmarClient client = filled(node)) {
            RunningCall call = client.statement("SELECT * FROM " + ENDLESS).start();
            TimeUnit.MILLISECONDS.sleep(300);
            assertThat(call.outcome()).isNotDone();
            long start = System.nanoTime();
            call.cancel().get(10, TimeUnit.SECONDS);
            assertThat(codeOf(call)).isEqualTo(ErrorCode.CANCELLED);
            assertThat(System.nanoTime() - start).isLessThan(3_000_000_000L);
            assertThat(changed(client)).isZero();
        }
    }

    @ParameterizedTest(name = "on {0}")
    @ValueSource(ints = {1, 3})
    void aChangeThatIsCancelledChangesNothing(int partitions) throws Exception {
        try (FulmarNode node = node(partitions);
                FulmarClient client = filled(node)) {
            RunningCall call =
                    client.statement("UPDATE T SET M = 1 + " + ENDLESS).start();
            TimeUnit.MILLISECONDS.sleep(300);
            call.cancel().get(10, TimeUnit.SECONDS);
            assertThat(codeOf(call)).isEqualTo(ErrorCode.CANCELLED);
            assertThat(changed(client)).isZero();
        }
    }

    @ParameterizedTest(name = "on {0}")
    @ValueSource(ints = {1, 3})
    void aStatementEndsWhenItsTimeIsOver(int partitions) {
        try (FulmarNode node = node(partitions);
                FulmarClient client = filled(node)) {
            for (String text : List.of("SELECT * FROM " + ENDLESS, "UPDATE T SET M = 1 + " + ENDLESS)) {
                RunningCall call = client.statement(text)
                        .withTimeout(Duration.ofMillis(300))
                        .start();
                FulmarException failure = catchThrowableOfType(FulmarException.class, call::await);
                assertThat(failure.code()).isIn(ErrorCode.PROCEDURE_TIME_BUDGET, ErrorCode.TIMEOUT);
                assertThat(failure).hasMessageNotContaining("may have taken effect");
                assertThat(changed(client)).isZero();
            }
        }
    }

    @Test
    void aQueryEndsSoonWhenItsClientIsGone() throws Exception {
        try (FulmarNode node = node(1);
                FulmarClient client = filled(node)) {
            FulmarClient departing = FulmarClient.connect("127.0.0.1:" + node.port());
            RunningCall call = departing.statement("SELECT * FROM " + ENDLESS).start();
            TimeUnit.MILLISECONDS.sleep(300);
            assertThat(call.outcome()).isNotDone();
            departing.close();
            long start = System.nanoTime();
            assertThat(changed(client)).isZero();
            assertThat(System.nanoTime() - start).isLessThan(3_000_000_000L);
        }
    }

    @Test
    void whatHasEndedIsNotCancelled() throws Exception {
        try (FulmarNode node = node(1);
                FulmarClient client = filled(node)) {
            RunningCall call =
                    client.statement("UPDATE T SET M = ? WHERE N < 10").with(5).start();
            CallResult result = call.await();
            call.cancel().get(10, TimeUnit.SECONDS);
            assertThat(result.longValue()).isEqualTo(10);
            assertThat(call.await()).isSameAs(result);
            assertThat(changed(client)).isEqualTo(10);
        }
    }

    @Test
    void aClientWithoutHandlesIsToldThatItCannotCancel() throws Exception {
        try (FulmarNode node = node(1);
                FulmarClient filled = filled(node);
                FulmarClient client = FulmarClient.builder()
                        .hosts("127.0.0.1:" + node.port())
                        .repeatUnanswered(false)
                        .connect()) {
            RunningCall call = client.statement("SELECT * FROM " + ENDLESS)
                    .withTimeout(Duration.ofSeconds(1))
                    .start();
            TimeUnit.MILLISECONDS.sleep(100);
            assertThatThrownBy(() -> call.cancel().get(10, TimeUnit.SECONDS)).hasMessageContaining("the call goes on");
            assertThat(codeOf(call)).isIn(ErrorCode.PROCEDURE_TIME_BUDGET, ErrorCode.TIMEOUT);
            assertThat(changed(filled)).isZero();
        }
    }

    @Test
    void aScriptStopsAtTheFirstErrorAndSaysWhere() {
        try (FulmarNode node = node(1);
                FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            ScriptResult result = client.script("""
                    CREATE TABLE S (A INTEGER NOT NULL PRIMARY KEY);
                    INSERT INTO S VALUES (1), (2); -- two; rows
                      INSERT INTO S VALUES (1);
                    INSERT INTO S VALUES (3);
                    """);
            assertThat(result.executed()).hasSize(2);
            assertThat(result.executed().get(1).result().longValue()).isEqualTo(2);
            ScriptResult.Failure failure = Objects.requireNonNull(result.failure());
            assertThat(failure.line()).isEqualTo(3);
            assertThat(failure.column()).isEqualTo(3);
            assertThat(failure.cause().code()).isEqualTo(ErrorCode.UNIQUE_VIOLATION);
            assertThatThrownBy(result::orThrow).hasMessageContaining("3:3");
            assertThat(client.script("DELETE FROM S; SELECT COUNT(*) FROM S").executed())
                    .hasSize(2);
        }
    }
}
