package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.execution.CompiledStatement;
import dev.fulmar.engine.execution.RowArea;
import dev.fulmar.engine.execution.SoughtArea;
import dev.fulmar.engine.execution.StatementCompiler;
import dev.fulmar.engine.spi.SqlFrontend.Compiled;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of statements, by which sessions take turns: those that may meet do, and most of the others do not. */
class SoughtAreaTest {
    private static final SqlCompiler SQL = new SqlCompiler();
    private static final Catalog CATALOG = CatalogFixture.of(SQL, """
            CREATE TABLE job (id BIGINT NOT NULL PRIMARY KEY, shop INT, name VARCHAR(30), price DECIMAL(30, 2), share DOUBLE,
                since TIMESTAMP, code UUID);
            PARTITION TABLE job ON COLUMN id;
            CREATE INDEX job_shop ON job (shop DESC, name);
            CREATE INDEX job_lower ON job (LOWER(name));
            CREATE TABLE line (job BIGINT NOT NULL, place INT NOT NULL, text VARCHAR(9), PRIMARY KEY (job, place));
            PARTITION TABLE line ON COLUMN job;
            CREATE TABLE spot (id BIGINT NOT NULL PRIMARY KEY, a INT, b INT, twice INT GENERATED ALWAYS AS (a * 2) STORED);
            PARTITION TABLE spot ON COLUMN id
            """);

    private static @Nullable RowArea area(String sql, @Nullable Object... parameters) {
        CompiledStatement compiled =
                StatementCompiler.compile(CATALOG, ((Compiled.Runnable) SQL.compile(sql, CATALOG)).plan());
        SoughtArea area = compiled.newSoughtArea();
        if (area == null) {
            return null;
        }
        return area.area(bound(compiled, parameters));
    }

    /** The areas of all tables of which the query tells. */
    private static List<RowArea> areas(String sql, @Nullable Object... parameters) {
        CompiledStatement compiled =
                StatementCompiler.compile(CATALOG, ((Compiled.Runnable) SQL.compile(sql, CATALOG)).plan());
        Bindings bindings = bound(compiled, parameters);
        return compiled.newSoughtAreas().stream()
                .map(area -> area.area(bindings))
                .filter(Objects::nonNull)
                .toList();
    }

    private static Bindings bound(CompiledStatement compiled, @Nullable Object... parameters) {
        ParameterWriter writer = new ParameterWriter(1 << 10, 1 << 16).begin();
        for (@Nullable Object parameter : parameters) {
            writer.addObject(parameter);
        }
        writer.end();
        byte[] bytes = writer.toByteArray();
        Bindings bindings = compiled.newBindings();
        bindings.reset(compiled.parameterTypes());
        bindings.readFrom(new ParameterReader(ParameterWriter.MAX_PARAMETERS).wrap(bytes, 0, bytes.length));
        return bindings;
    }

    private static RowArea known(String sql, @Nullable Object... parameters) {
        return Objects.requireNonNull(area(sql, parameters), sql);
    }

    private static boolean meet(RowArea one, RowArea other) {
        assertThat(one.meets(other)).isEqualTo(other.meets(one));
        return one.meets(other);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SELECT * FROM job WHERE id BETWEEN 10 AND 20 | INSERT INTO job (id) VALUES (15)                      | true
            SELECT * FROM job WHERE id BETWEEN 10 AND 20 | INSERT INTO job (id) VALUES (21)                      | false
            SELECT * FROM job WHERE id BETWEEN 10 AND 20 | INSERT INTO job (id) VALUES (9), (30)                 | true
            SELECT * FROM job WHERE id BETWEEN 10 AND 20 | UPSERT INTO job (id) VALUES (10)                      | true
            SELECT * FROM job WHERE id BETWEEN 10 AND 20 | UPDATE job SET name = 'x' WHERE id = 15               | true
            SELECT * FROM job WHERE id BETWEEN 10 AND 20 | UPDATE job SET name = 'x' WHERE id = 25               | false
            SELECT * FROM job WHERE id BETWEEN 10 AND 20 | DELETE FROM job WHERE id > 20                         | true
            SELECT * FROM job WHERE id BETWEEN 10 AND 20 | DELETE FROM job WHERE id >= 21                        | false
            SELECT * FROM job WHERE id BETWEEN 10 AND 20 | SELECT * FROM job WHERE id = 12                       | true
            SELECT * FROM job WHERE id BETWEEN 10 AND 20 | SELECT * FROM job WHERE id = 22                       | false
            SELECT * FROM job WHERE id BETWEEN 10 AND 20 | SELECT * FROM job WHERE shop = 7                      | true
            SELECT * FROM job WHERE id = 7               | SELECT * FROM job WHERE id = 7 AND name = 'y'         | true
            SELECT * FROM job WHERE id = 7               | INSERT INTO job (id) VALUES (7)                       | true
            SELECT * FROM job WHERE id = 7               | INSERT INTO job (id) VALUES (8)                       | false
            SELECT * FROM job WHERE id IN (3, 9)         | SELECT * FROM job WHERE id = 9                        | true
            SELECT * FROM job WHERE id IN (3, 9)         | SELECT * FROM job WHERE id = 10                       | false
            UPDATE job SET name = 'x' WHERE id IN (3, 9) | SELECT * FROM job WHERE id = 2                        | false
            SELECT * FROM job WHERE shop IN (3, 9)       | INSERT INTO job (id, shop) VALUES (1, 5)              | true
            SELECT * FROM job WHERE shop IN (3, 9)       | INSERT INTO job (id, shop) VALUES (1, 2)              | false
            SELECT * FROM job WHERE 5 < id AND id < 9    | SELECT * FROM job WHERE id = 3                        | false
            SELECT COUNT(*) FROM job WHERE shop = 7      | INSERT INTO job (id, shop) VALUES (1, 7)              | true
            SELECT COUNT(*) FROM job WHERE shop = 7      | INSERT INTO job (id, shop) VALUES (1, 8)              | false
            SELECT COUNT(*) FROM job WHERE shop = 7      | INSERT INTO job (id) VALUES (1)                       | true
            SELECT COUNT(*) FROM job WHERE shop = 7      | UPDATE job SET shop = shop + 1 WHERE shop = 6         | true
            SELECT COUNT(*) FROM job WHERE shop = 7      | UPDATE job SET name = 'x' WHERE shop = 6              | false
            SELECT COUNT(*) FROM job WHERE shop > 7      | INSERT INTO job (id, shop) VALUES (1, 6)              | false
            SELECT COUNT(*) FROM job WHERE shop > 7      | INSERT INTO job (id, shop) VALUES (1, 8)              | true
            SELECT COUNT(*) FROM job WHERE shop < 7      | INSERT INTO job (id, shop) VALUES (1, 8)              | false
            SELECT * FROM spot WHERE twice = 8           | INSERT INTO spot (id, a) VALUES (1, 4)                | true
            SELECT * FROM spot WHERE twice = 8           | UPDATE spot SET a = 4 WHERE twice = 2                 | true
            SELECT * FROM spot WHERE twice = 8           | UPDATE spot SET b = 4 WHERE twice = 2                 | false
            SELECT * FROM job WHERE name = 'abcdefghij'  | INSERT INTO job (id, name) VALUES (1, 'abcdefghik')   | false
            SELECT * FROM job WHERE name >= 'b'          | INSERT INTO job (id, name) VALUES (1, 'az')           | false
            SELECT * FROM job WHERE name >= 'b'          | INSERT INTO job (id, name) VALUES (1, 'b')            | true
            SELECT * FROM job WHERE name > 'abcdefghij'  | INSERT INTO job (id, name) VALUES (1, 'abcdefghik')   | true
            SELECT * FROM job WHERE price > 5            | INSERT INTO job (id, price) VALUES (1, 4.99)          | false
            SELECT * FROM job WHERE price > -5           | INSERT INTO job (id, price) VALUES (1, -4.99)         | true
            SELECT * FROM job WHERE share < -0.5         | INSERT INTO job (id, share) VALUES (1, -0.25)         | false
            SELECT * FROM job WHERE share < -0.5         | INSERT INTO job (id, share) VALUES (1, -0.75)         | true
            SELECT * FROM job WHERE id > 5 ORDER BY id LIMIT 3  | INSERT INTO job (id) VALUES (4)                | false
            SELECT * FROM job                            | INSERT INTO job (id) VALUES (4)                       | true
            SELECT * FROM job                            | INSERT INTO line (job, place) VALUES (4, 4)           | false
            SELECT * FROM line WHERE job = 3 AND place > 5 | INSERT INTO line (job, place) VALUES (3, 6)         | true
            SELECT * FROM line WHERE job = 3 AND place > 5 | INSERT INTO line (job, place) VALUES (3, 4)         | false
            SELECT * FROM line WHERE job = 3 AND place > 5 | INSERT INTO line (job, place) VALUES (4, 6)         | false
            SELECT * FROM line WHERE job = 3             | SELECT * FROM line WHERE job = 3 AND place = 2        | true
            SELECT * FROM line WHERE job = 3             | INSERT INTO line SELECT id, shop, name FROM job       | true
            SELECT * FROM job WHERE id = 3               | UPDATE job SET id = 3 WHERE id = 4                    | true
            """)
    void statementsMeetIfTheirRowsMay(String one, String other, boolean expected) {
        assertThat(meet(known(one), known(other))).isEqualTo(expected);
    }

    @Test
    void parametersSayWhichRows() {
        String range = "SELECT * FROM job WHERE id BETWEEN ? AND ?";
        assertThat(meet(known(range, 1, 5), known(range, 5, 9))).isTrue();
        assertThat(meet(known(range, 1, 5), known(range, 6, 9))).isFalse();
        assertThat(meet(known(range, 1, 5), known("INSERT INTO job (id) VALUES (?)", 6)))
                .isFalse();
        assertThat(area(range, 5, 4)).isNull();
        assertThat(area(range, 1, null)).isNull();
        assertThat(area("SELECT * FROM job WHERE id = ?", (@Nullable Object) null))
                .isNull();
        assertThat(area("SELECT * FROM job WHERE id > 4 AND id < 3")).isNull();
        String code = "SELECT * FROM job WHERE code >= ?";
        String low = "00000000-0000-0000-0000-000000000001";
        String high = "ffffffff-0000-0000-0000-000000000001";
        String insert = "INSERT INTO job (id, code) VALUES (1, ?)";
        assertThat(meet(known(code, low), known(insert, high))).isTrue();
        assertThat(meet(known(code, high), known(insert, low))).isFalse();
    }

    /** With the lease of a range a transaction has that of its parts. */
    @Test
    void anAreaHasItsParts() {
        RowArea range = known("SELECT * FROM job WHERE id BETWEEN 10 AND 20");
        RowArea row = known("SELECT * FROM job WHERE id = 12");
        assertThat(row.isRow()).isTrue();
        assertThat(range.isRow()).isFalse();
        assertThat(range.hasAllOf(row)).isTrue();
        assertThat(row.hasAllOf(range)).isFalse();
        assertThat(row.hasAllOf(row)).isTrue();
        assertThat(range.hasAllOf(known("INSERT INTO job (id, shop) VALUES (20, 3)")))
                .isTrue();
        assertThat(range.hasAllOf(known("INSERT INTO job (id, shop) VALUES (21, 3)")))
                .isFalse();
        assertThat(range.hasAllOf(known("SELECT * FROM job WHERE shop = 3"))).isFalse();
        assertThat(known("SELECT * FROM job").hasAllOf(range)).isTrue();
        assertThat(range.hasAllOf(known("SELECT * FROM line"))).isFalse();
    }

    /** Leases of the whole table would have many wait for nothing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM job WHERE UPPER(name) = 'X'",
                "SELECT * FROM job WHERE LOWER(name) = 'x'",
                "SELECT * FROM job WHERE name IS NULL",
                "SELECT * FROM job WHERE id = 1 OR shop = 2",
                "SELECT * FROM job, line WHERE job.id = line.job",
                "SELECT 1"
            })
    void queriesThatTellOfNoColumnHaveNoArea(String query) {
        assertThat(area(query)).isNull();
    }

    /** Whether a row that is inserted is in one of the query's areas. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SELECT * FROM job j, line l WHERE l.job = j.id AND j.id = 7        | job  | 7    | true
            SELECT * FROM job j, line l WHERE l.job = j.id AND j.id = 7        | job  | 8    | false
            SELECT * FROM job j, line l WHERE l.job = j.id AND j.id = 7        | line | 7, 1 | true
            SELECT * FROM job j, line l WHERE l.job = j.id AND j.id = 7        | line | 8, 1 | false
            SELECT * FROM job j, line l WHERE l.job = j.id AND l.job = 7       | job  | 8    | false
            SELECT * FROM job j, line l WHERE l.job = j.id AND j.id > 7        | line | 6, 1 | false
            SELECT * FROM job j, line l WHERE l.job = j.id AND j.id > 7        | line | 9, 1 | true
            SELECT * FROM job j, line l WHERE l.job = j.id AND j.id IN (3, 5)  | line | 6, 1 | false
            SELECT * FROM job j, line l WHERE l.job = j.id AND j.id IN (3, 5)  | line | 5, 1 | true
            SELECT * FROM job j JOIN line l ON l.job = j.id AND l.place = 2 WHERE j.id = 7 | line | 7, 1 | false
            SELECT * FROM job j JOIN line l ON l.job = j.id AND l.place = 2 WHERE j.id = 7 | line | 7, 2 | true
            SELECT * FROM job j LEFT JOIN line l ON l.job = j.id WHERE j.id = 7 | line | 8, 1 | false
            SELECT * FROM job j LEFT JOIN line l ON l.job = j.id WHERE j.id = 7 | line | 7, 1 | true
            SELECT * FROM job j LEFT JOIN line l ON l.job = j.id AND l.job = 7  | line | 8, 1 | false
            SELECT * FROM job j, line l, job k WHERE j.id = 7 AND l.job = 9 AND k.id = l.place | job | 7 | true
            SELECT * FROM job j, line l, line m WHERE j.id = l.job AND l.job = m.job AND j.id = 7 | line | 8, 1 | false
            SELECT * FROM job j, (SELECT job, place FROM line WHERE place = 3) q WHERE j.id = 7 AND q.job = 7 | line | 7, 4 | false
            SELECT * FROM job j, (SELECT job, place FROM line WHERE place = 3) q WHERE j.id = 7 AND q.job = 7 | line | 7, 3 | true
            SELECT * FROM job j, line l WHERE l.job = j.id AND j.id = 7 FOR UPDATE OF j | line | 7, 1 | false
            SELECT * FROM job j, line l WHERE l.job = j.id AND j.id = 7 FOR UPDATE OF j | job  | 7    | true
            SELECT * FROM job j, line l WHERE l.job = j.id AND j.id = 7 FOR UPDATE OF l | job  | 7    | false
            """)
    void aJoinHasAnAreaOfEachTable(String query, String table, String values, boolean expected) {
        String columns = table.equals("job") ? "id" : "job, place";
        RowArea row = known("INSERT INTO " + table + " (" + columns + ") VALUES (" + values + ")");
        assertThat(areas(query).stream().anyMatch(area -> meet(area, row))).isEqualTo(expected);
    }

    /** The rows of a table that only a subquery asks for are not read for the client. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM job WHERE id = 7 AND id IN (SELECT job FROM line WHERE job = 7 AND place = 2) FOR UPDATE",
                "SELECT * FROM job WHERE id = 7 AND EXISTS (SELECT 1 FROM line WHERE line.job = job.id AND text = 'x') FOR UPDATE",
                "SELECT * FROM job WHERE id = 7 AND NOT EXISTS (SELECT 1 FROM line WHERE line.job = job.id AND text = 'x') FOR UPDATE",
                "SELECT * FROM job WHERE id = 7 AND id NOT IN (SELECT job FROM line WHERE place = 2) FOR UPDATE"
            })
    void aTableOfASubqueryHasNoArea(String query) {
        assertThat(areas(query))
                .extracting(RowArea::table)
                .containsOnly(known("SELECT * FROM job WHERE id = 7").table());
    }

    /** Their rows are not known before others are read; leases of whole tables would have many wait for nothing. */
    @Test
    void aTableOfWhichNothingIsSaidHasNoArea() {
        assertThat(areas("SELECT * FROM job j, line l WHERE j.id = l.place AND l.job = 7"))
                .extracting(RowArea::table)
                .containsExactly(known("SELECT * FROM line WHERE job = 7").table());
        assertThat(areas("SELECT * FROM job, line WHERE job.id = line.job")).isEmpty();
        assertThat(areas("SELECT * FROM job WHERE UPPER(name) = 'X'")).isEmpty();
    }

    /** It is about the matches, and the other rows are there without one. */
    @Test
    void aConditionOfAnOuterJoinSaysNothingOfItsLeftRows() {
        assertThat(areas("SELECT * FROM job j LEFT JOIN line l ON l.job = j.id AND j.shop = 7 AND l.place = 2"))
                .extracting(RowArea::table)
                .containsExactly(known("SELECT * FROM line").table());
    }

    /** All who ask for several leases ask in this order. */
    @Test
    void areasAreInTheOrderOfTheirTables() {
        String join = " WHERE l.job = j.id AND j.id = ?";
        List<RowArea> one = areas("SELECT * FROM job j, line l" + join, 7);
        List<RowArea> other = areas("SELECT * FROM line l, job j" + join, 7);
        assertThat(one).hasSize(2).isEqualTo(other).isSortedAccordingTo(Comparator.comparing(RowArea::table));
        assertThat(areas("SELECT * FROM line l LEFT JOIN job j ON j.id = l.job WHERE l.job = 7"))
                .isEqualTo(one);
        assertThat(areas("SELECT * FROM job WHERE id = 7")).hasSize(1).allMatch(RowArea::isRow);
    }
}
