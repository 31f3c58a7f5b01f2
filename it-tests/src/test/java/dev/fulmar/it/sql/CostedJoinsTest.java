package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Queries over tables of very different sizes, with what is known of them and without: the same answers, by other
 * plans.
 */
@Timeout(300)
class CostedJoinsTest {
    private static final List<String> SCHEMA = List.of(
            "CREATE TABLE digit (d INTEGER NOT NULL PRIMARY KEY) REPLICATED",
            "CREATE TABLE sales (id INTEGER NOT NULL PRIMARY KEY, item INTEGER, state INTEGER, place INTEGER, other INTEGER)",
            "PARTITION TABLE sales ON COLUMN id",
            "CREATE INDEX sales_state ON sales (state)",
            "CREATE INDEX sales_place ON sales (place)",
            "CREATE INDEX sales_item ON sales (item)",
            "CREATE TABLE items (item INTEGER NOT NULL PRIMARY KEY, kind INTEGER, name VARCHAR(20)) REPLICATED",
            "CREATE TABLE kinds (kind INTEGER NOT NULL, name VARCHAR(20)) REPLICATED",
            "INSERT INTO digit VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)",
            "INSERT INTO kinds SELECT d, 'kind ' || CAST(d AS VARCHAR(2)) FROM digit",
            "INSERT INTO items SELECT a.d + 10 * b.d + 100 * c.d, a.d, 'item ' || CAST(a.d + 10 * b.d + 100 * c.d AS VARCHAR(3)) FROM digit a, digit b, digit c");

    /** The tables in an order that suits nobody. */
    private static final List<String> QUERIES = List.of(
            "SELECT COUNT(*), MIN(s.id) FROM sales s, items i, kinds k"
                    + " WHERE s.item = i.item AND i.kind = k.kind AND s.place >= 0 AND i.name = 'item 77'",
            "SELECT COUNT(*), MIN(k.name) FROM kinds k, items i, sales s WHERE k.kind = i.kind AND i.item = s.place",
            "SELECT COUNT(*), MIN(k.name) FROM kinds k, items i, sales s WHERE k.kind = i.kind AND i.item = s.other",
            "SELECT COUNT(*), SUM(s.id) FROM sales s JOIN kinds k ON s.state = k.kind WHERE k.name <> 'kind 2'",
            "SELECT COUNT(*), MIN(name) FROM sales s, items i WHERE s.place = i.item AND i.kind = 3 AND s.state = 1",
            "SELECT COUNT(*), SUM(item) FROM sales WHERE state = 1 AND place = 77");

    private final UnaryOperator<SqlFrontend> unweighed = Unweighed::new;

    /** Knows nothing of the tables. */
    private record Unweighed(SqlFrontend sql) implements SqlFrontend {
        @Override
        public List<String> split(String script) {
            return sql.split(script);
        }

        @Override
        public Optional<Generalised> generalise(String text) {
            return sql.generalise(text);
        }

        @Override
        public Compiled compile(String text, Catalog catalog) {
            return sql.compile(text, catalog);
        }
    }

    private static NodeConfiguration configuration() {
        return NodeConfiguration.of(Map.of(
                "node",
                "7",
                "listen",
                "127.0.0.1:0",
                "partitions",
                "3",
                "sites",
                "1",
                "memory.limit",
                "256m",
                "jmx",
                "false"));
    }

    private static void load(FulmarClient client) {
        SCHEMA.forEach(client::execute);
        for (int part = 0; part < 10; part++) {
            client.execute(
                    "INSERT INTO sales SELECT id, MOD(id, 1000), MOD(id, 4), MOD(id * 7, 2000), MOD(id, 1100) FROM"
                            + " (SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * " + part
                            + " AS id FROM digit a, digit b, digit c, digit e) AS n");
        }
    }

    private static List<String> rows(FulmarClient client, String query) {
        return ResultRows.of(client, query, " | ");
    }

    private static List<List<String>> answers(FulmarClient client) {
        return QUERIES.stream().map(query -> rows(client, query)).toList();
    }

    @Test
    void answersAreTheSameByOtherPlans() {
        List<List<String>> usual;
        try (FulmarNode node = FulmarNode.start(configuration(), unweighed);
                FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            load(client);
            usual = answers(client);
        }
        try (FulmarNode node = FulmarNode.start(configuration());
                FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            load(client);
            assertThat(answers(client)).isEqualTo(usual);
            assertThat(rows(client, "EXPLAIN " + QUERIES.getLast()))
                    .anyMatch(line -> line.contains("index scan SALES by SALES_PLACE"));
        }
    }
}
