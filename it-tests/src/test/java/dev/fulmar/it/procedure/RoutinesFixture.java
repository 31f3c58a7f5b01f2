package dev.fulmar.it.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.it.sql.SmallNode;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A durable node of three partitions, on which routines of users are made. It may start again. */
abstract class RoutinesFixture {
    @TempDir
    Path folder = Path.of("replaced by JUnit");

    FulmarNode node;
    FulmarClient client;

    @BeforeEach
    void open() {
        node = SmallNode.durable(folder.resolve("data"), 3);
        client = FulmarClient.connect("127.0.0.1:" + node.port());
    }

    @AfterEach
    void close() {
        client.close();
        node.close();
    }

    List<String> rows(String sql, Object... parameters) {
        return rows(client.execute(sql, parameters).table());
    }

    static List<String> rows(ResultTable table) {
        List<String> rows = new ArrayList<>();
        while (table.next()) {
            List<String> values = new ArrayList<>();
            for (int column = 0; column < table.columnCount(); column++) {
                values.add(String.valueOf(table.getObject(column)));
            }
            rows.add(String.join(" ", values));
        }
        return rows;
    }

    void fails(ErrorCode code, String part, String sql, Object... parameters) {
        assertThatThrownBy(() -> client.execute(sql, parameters))
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code))
                .hasMessageContaining(part);
    }
}
