package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.procedure.repeat.StatementScan;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.procedure.Expectation;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which statements do the same again wherever the rows lie. */
class RepeatableStatementsTest {
    private static final String SCHEMA = """
            CREATE TABLE item (home BIGINT NOT NULL, id BIGINT NOT NULL, kind INTEGER NOT NULL, price DECIMAL(10,2), weight DOUBLE,
                code VARCHAR(10) NOT NULL, PRIMARY KEY (home, id));
            PARTITION TABLE item ON COLUMN home;
            CREATE INDEX by_kind ON item (home, kind);
            CREATE UNIQUE INDEX by_code ON item (home, code);
            CREATE TABLE paper (home BIGINT NOT NULL, d JSONB);
            PARTITION TABLE paper ON COLUMN home;
            CREATE TABLE note (home BIGINT NOT NULL, text VARCHAR(100));
            PARTITION TABLE note ON COLUMN home;
            CREATE TABLE spot (home BIGINT NOT NULL, a INTEGER, b INTEGER, twice INTEGER GENERATED ALWAYS AS (a * 2) STORED,
                UNIQUE (home, twice));
            PARTITION TABLE spot ON COLUMN home;
            CREATE TABLE rate (id BIGINT NOT NULL, factor DECIMAL(10,4), PRIMARY KEY (id));
            CREATE TABLE band (id BIGINT NOT NULL, factor DECIMAL(10,4), PRIMARY KEY (id));
            CREATE TABLE bare (id BIGINT, factor DOUBLE);
            CREATE INDEX by_id ON bare (id);
            CREATE TABLE crowd (id BIGINT NOT NULL, factor DECIMAL(10,4), PRIMARY KEY (id), UNIQUE (factor));
            """;

    private final SqlFrontend sql = new SqlCompiler();
    private final Catalog catalog = CatalogFixture.of(sql, SCHEMA);

    private Optional<String> reason(String text, Expectation expectation) {
        return StatementScan.reason(plan(text), expectation, catalog);
    }

    private StatementPlan plan(String text) {
        return ((SqlFrontend.Compiled.Runnable) sql.compile(text, catalog)).plan();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT price FROM item WHERE home = ? AND id = ?",
                "SELECT price FROM item WHERE home = ? AND code = ?",
                "SELECT id FROM item WHERE home = ? AND kind = ?",
                "SELECT id FROM item WHERE home = ? AND id > ? ORDER BY id LIMIT 5",
                "SELECT id FROM item WHERE home = ? AND kind > ? ORDER BY kind DESC LIMIT 1",
                "SELECT COUNT(*), SUM(price), MIN(price), AVG(price) FROM item WHERE home = ?",
                "SELECT kind, COUNT(*) FROM item WHERE home = ? GROUP BY kind ORDER BY kind",
                "SELECT STRING_AGG(text, ','), MODE() WITHIN GROUP (ORDER BY text) FROM note WHERE home = ?",
                "SELECT STDDEV(factor), BIT_XOR(id), VAR_POP(id), PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY factor) FROM rate",
                "SELECT i.id, r.factor FROM item i JOIN rate r ON r.id = i.kind WHERE i.home = ? AND i.id = ?",
                "SELECT factor FROM rate ORDER BY id",
                "SELECT id, factor FROM rate WHERE factor > 1 ORDER BY factor, id LIMIT 3",
                "SELECT COUNT(*) FROM rate WHERE factor > 1",
                "SELECT factor FROM rate ORDER BY factor LIMIT 1",
                "INSERT INTO item VALUES (?, ?, ?, ?, ?, ?)",
                "UPSERT INTO item VALUES (?, ?, ?, ?, ?, ?)",
                "INSERT INTO note VALUES (?, ?)",
                "INSERT INTO note SELECT home, code FROM item WHERE home = ?",
                "UPDATE item SET price = price + 1 WHERE home = ? AND price > 3",
                "UPDATE item SET code = 'x' || code WHERE home = ? AND price > 3",
                "UPDATE note SET text = 'x' WHERE home = ? AND text = 'y'",
                "UPDATE spot SET b = b + 1 WHERE home = ? AND b > 3",
                "DELETE FROM item WHERE home = ? AND weight > 3",
                "DELETE FROM note WHERE home = ?"
            })
    void theRowsDetermine(String text) {
        assertThat(reason(text, Expectation.ANY)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT text FROM note WHERE home = ?",
                "SELECT factor FROM rate",
                "SELECT id FROM rate WHERE factor > 1 ORDER BY factor",
                "SELECT id FROM rate WHERE factor > 1 LIMIT 1",
                "SELECT AVG(CAST(factor AS DOUBLE)) FROM rate",
                "SELECT STDDEV(CAST(factor AS DOUBLE)) FROM rate",
                "SELECT CORR(factor, id) FROM rate",
                "SELECT factor, COUNT(*) FROM rate GROUP BY factor",
                "SELECT d FROM paper WHERE home = ? ORDER BY d",
                "INSERT INTO note SELECT home, CAST(d AS VARCHAR(99)) FROM paper WHERE home = ? GROUP BY home, d",
                "SELECT a.text FROM note a JOIN rate r ON r.id = 1 WHERE a.home = ?",
                "INSERT INTO note SELECT home, text FROM note WHERE home = ?",
                "UPDATE spot SET a = a + 1 WHERE home = ? AND a > 3"
            })
    void thePlaceOfRowsMayShow(String text) {
        assertThat(reason(text, Expectation.ANY))
                .hasValueSatisfying(
                        reason -> assertThat(reason).startsWith("\"" + text).contains("; "));
    }

    @Test
    void whatYieldsOneRowAtMostNeedsNoOrder() {
        String text = "SELECT text FROM note WHERE home = ?";
        assertThat(reason(text, Expectation.ZERO_OR_ONE_ROW)).isEmpty();
        assertThat(reason(text, Expectation.ONE_ROW)).isEmpty();
        assertThat(reason(text, Expectation.NON_EMPTY)).isPresent();
        assertThat(reason("SELECT text FROM note WHERE home = ? LIMIT 1", Expectation.ONE_ROW))
                .as("which row is open")
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO band VALUES (?, ?), (?, ?) ON CONFLICT DO NOTHING",
                "INSERT INTO band SELECT id, factor FROM rate",
                "INSERT INTO band SELECT id, factor FROM rate ON CONFLICT DO NOTHING",
                "INSERT INTO band SELECT id, factor FROM rate ON CONFLICT (id) DO NOTHING",
                "INSERT INTO band SELECT id, factor FROM rate r WHERE NOT EXISTS (SELECT 1 FROM band b WHERE b.id + 1 = r.id)",
                "INSERT INTO bare SELECT id, 1e0 FROM rate",
                "INSERT INTO band SELECT id, factor FROM rate ON CONFLICT (id) DO UPDATE SET factor = excluded.factor",
                "INSERT INTO band SELECT 1, SUM(factor) FROM bare ON CONFLICT (id) DO UPDATE SET factor = excluded.factor",
                "UPSERT INTO band SELECT id, factor FROM rate",
                "UPSERT INTO band SELECT COUNT(*), SUM(factor) FROM rate"
            })
    void copiesOfAReplicatedTableInsertTheSameByThemselves(String text) {
        assertThat(plan(text).steps()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO band SELECT id / 2, factor FROM rate ON CONFLICT DO NOTHING",
                "INSERT INTO band SELECT id / 2, factor FROM rate ON CONFLICT (id) DO NOTHING",
                "UPSERT INTO band SELECT id / 2, factor FROM rate",
                "INSERT INTO band SELECT id, factor FROM rate LIMIT 3",
                "INSERT INTO band SELECT id, factor FROM bare WHERE id = 1 ON CONFLICT DO NOTHING",
                "INSERT INTO crowd SELECT id, factor FROM rate ON CONFLICT DO NOTHING",
                "INSERT INTO bare SELECT 1, SUM(factor) FROM bare",
                "INSERT INTO band SELECT ROW_NUMBER() OVER (ORDER BY factor), factor FROM rate"
            })
    void oneNodeReadsWhatCopiesCouldReadInAnotherOrder(String text) {
        assertThat(plan(text).steps()).isPresent();
    }
}
