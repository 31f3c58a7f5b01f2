package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.it.sql.SmallNode;
import dev.fulmar.node.wiring.FulmarNode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The node's setting counts for clients of PostgreSQL's protocol as well. */
class PlacementSettingTest {
    private static String shown(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SHOW default_placement")) {
            return rows.next() ? rows.getString(1) : "";
        }
    }

    @Test
    void aNodeThatReplicatesDoesSoForAllClients() throws SQLException {
        try (FulmarNode node = SmallNode.start(2, Map.of("tables.partitioned", "false"));
                Connection connection = DriverManager.getConnection("jdbc:postgresql://127.0.0.1:"
                        + node.postgresAddress().orElseThrow().port() + "/fulmar?user=ann");
                Statement statement = connection.createStatement()) {
            assertThat(shown(statement)).isEqualTo("replicated");
            statement.executeUpdate("CREATE TABLE a (id INTEGER PRIMARY KEY)");
            statement.executeUpdate("SET default_placement = partitioned");
            statement.executeUpdate("CREATE TABLE b (id INTEGER PRIMARY KEY)");
            statement.executeUpdate("RESET default_placement");
            assertThat(shown(statement)).isEqualTo("replicated");
            statement.executeUpdate("CREATE TABLE c (id INTEGER PRIMARY KEY)");
            assertThat(node.database().catalog().table("A").isReplicated()).isTrue();
            assertThat(node.database().catalog().table("B").isReplicated()).isFalse();
            assertThat(node.database().catalog().table("C").isReplicated()).isTrue();
        }
    }
}
