package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.spi.SqlFrontend.Compiled;
import dev.fulmar.engine.spi.SqlFrontend.RowByRow;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries with SKIP LOCKED are taken apart at their clauses, or refused. */
class SkippingQueryTest {
    private static final SqlCompiler SQL = new SqlCompiler();
    private static final Catalog CATALOG = CatalogFixture.of(SQL, """
            CREATE TABLE job (shop INT NOT NULL, "Id" INT NOT NULL, state VARCHAR(9), size INT, PRIMARY KEY (shop, "Id"));
            PARTITION TABLE job ON COLUMN shop;
            CREATE TABLE note (text VARCHAR(9))
            """);

    private static RowByRow apart(String sql) {
        assertThat(SQL.compile(sql, CATALOG)).isInstanceOf(Compiled.Runnable.class);
        RowByRow found = SQL.rowByRow(sql, CATALOG).orElseThrow();
        assertThat(SQL.compile(found.keys(), CATALOG)).isInstanceOf(Compiled.Runnable.class);
        assertThat(SQL.compile(found.row(), CATALOG)).isInstanceOf(Compiled.Runnable.class);
        return found;
    }

    @Test
    void aQueryWithAllClausesIsTakenApart() {
        assertThat(apart("SELECT size + ? AS s, j.* FROM job AS j WHERE state = ? OR size IN (?, ?)"
                        + " ORDER BY size + ?, 1 LIMIT ? FOR UPDATE OF j SKIP LOCKED;"))
                .isEqualTo(new RowByRow(
                        "SELECT size + ? AS s, j.*, \"SHOP\" AS \"key of the row 0\", \"Id\" AS \"key of the row 1\""
                                + " FROM job AS j WHERE state = ? OR size IN (?, ?) ORDER BY size + ?, 1 LIMIT 1000",
                        5,
                        2,
                        "SELECT size + ? AS s, j.* FROM job AS j WHERE (state = ? OR size IN (?, ?)) AND \"SHOP\" = ?"
                                + " AND \"Id\" = ? FOR UPDATE SKIP LOCKED",
                        4,
                        -1));
    }

    @Test
    void clausesMayBeMissing() {
        assertThat(apart("SELECT * FROM job FETCH NEXT 7 ROWS ONLY FOR KEY SHARE SKIP LOCKED"))
                .isEqualTo(new RowByRow(
                        "SELECT *, \"SHOP\" AS \"key of the row 0\", \"Id\" AS \"key of the row 1\" FROM job  LIMIT 1000",
                        0,
                        2,
                        "SELECT * FROM job WHERE \"SHOP\" = ? AND \"Id\" = ? FOR SHARE SKIP LOCKED",
                        0,
                        7));
    }

    /** A comment to the end of a line hides nothing that comes behind it. */
    @Test
    void commentsStayWhereTheyAre() {
        RowByRow found =
                apart("SELECT state -- it\n FROM job WHERE size = 1 -- all\n LIMIT 3 -- few\n FOR UPDATE SKIP LOCKED");
        assertThat(found.most()).isEqualTo(3);
        assertThat(found.row()).startsWith("SELECT state FROM job WHERE (size = 1) AND");
    }

    @Test
    void aQueryOfOneRowNeedsNoLimit() {
        String one = "SELECT state FROM job WHERE shop = 1 AND \"Id\" = ? FOR UPDATE SKIP LOCKED";
        assertThat(SQL.compile(one, CATALOG)).isInstanceOf(Compiled.Runnable.class);
        assertThat(SQL.rowByRow(one, CATALOG)).isEmpty();
        assertThat(SQL.rowByRow("SELECT state FROM job LIMIT 1 FOR UPDATE", CATALOG))
                .as("nothing is to be skipped")
                .isEqualTo(Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT state FROM job",
                "SELECT text FROM note LIMIT 1",
                "SELECT state FROM job LIMIT 1001",
                "SELECT state FROM job LIMIT 1 OFFSET 1",
                "SELECT DISTINCT state FROM job LIMIT 1",
                "SELECT COUNT(*) FROM job LIMIT 1",
                "SELECT state FROM job GROUP BY state LIMIT 1",
                "SELECT ROW_NUMBER() OVER (ORDER BY size) FROM job LIMIT 1",
                "SELECT a.state FROM job a JOIN job b ON a.size = b.shop LIMIT 1",
                "SELECT a.state FROM job a, job b LIMIT 1",
                "SELECT state FROM (SELECT state FROM job) AS j LIMIT 1",
                "SELECT state FROM job WHERE size = (SELECT MAX(size) FROM job) LIMIT 1",
                "SELECT state FROM job UNION SELECT text FROM note LIMIT 1",
                "WITH w AS (SELECT state FROM job) SELECT state FROM w LIMIT 1",
                "SELECT 1 LIMIT 1"
            })
    void otherQueriesAreRefused(String sql) {
        assertThatThrownBy(() -> SQL.compile(sql + " FOR UPDATE SKIP LOCKED", CATALOG))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("SKIP LOCKED takes");
    }
}
