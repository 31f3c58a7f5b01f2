package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Fixture of tests of one durable node that may start again on its data, and of one client of it. */
abstract class DurableNodeFixture {
    private final int partitions;

    @TempDir
    Path folder;

    FulmarNode node;
    FulmarClient client;

    DurableNodeFixture(int partitions) {
        this.partitions = partitions;
    }

    @BeforeEach
    void start() {
        node = SmallNode.durable(folder.resolve("data"), partitions);
        client = SmallNode.connect(node);
    }

    @AfterEach
    void stop() {
        client.close();
        node.close();
    }

    final void restart() {
        stop();
        start();
    }

    final void run(String... statements) {
        for (String statement : statements) {
            client.execute(statement);
        }
    }

    /** The only value of the only row of a query. */
    final long number(String query, Object... arguments) {
        return client.execute(query, arguments).table().first().getLong(0);
    }

    final void fails(ErrorCode code, String statement) {
        fails(code, statement, "");
    }

    final void fails(ErrorCode code, String statement, String part) {
        fails(code, () -> client.execute(statement), part);
    }

    static void fails(ErrorCode code, ThrowingCallable statement) {
        fails(code, statement, "");
    }

    private static void fails(ErrorCode code, ThrowingCallable statement, String part) {
        assertThatThrownBy(statement)
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code))
                .message()
                .contains(part);
    }
}
