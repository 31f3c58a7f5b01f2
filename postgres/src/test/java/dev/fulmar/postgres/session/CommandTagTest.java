package dev.fulmar.postgres.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.postgres.dialect.FixedFacts;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandTagTest {
    /** Those of PostgreSQL 15. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CLOSE ALL|CLOSE CURSOR ALL",
                "close all|CLOSE CURSOR ALL",
                "CLOSE \"ALL\"|CLOSE CURSOR",
                "CLOSE c|CLOSE CURSOR",
                "DISCARD ALL|DISCARD ALL",
                "DISCARD TEMP|DISCARD TEMP",
                "DISCARD TEMPORARY|DISCARD TEMP",
                "DISCARD PLANS|DISCARD PLANS",
                "REFRESH MATERIALIZED VIEW v|REFRESH MATERIALIZED VIEW",
                "CREATE MATERIALIZED VIEW v AS SELECT 1|CREATE MATERIALIZED VIEW",
                "DROP MATERIALIZED VIEW v|DROP MATERIALIZED VIEW",
                "CREATE USER u PASSWORD 'x'|CREATE ROLE",
                "ALTER USER u PASSWORD 'x'|ALTER ROLE",
                "DROP USER u|DROP ROLE",
                "CREATE ROLE r|CREATE ROLE",
                "DROP ROLE r|DROP ROLE",
                "CREATE UNIQUE INDEX i ON t (a)|CREATE INDEX",
                "CREATE OR REPLACE VIEW v AS SELECT 1|CREATE VIEW",
                "CREATE TEMPORARY TABLE t (a INT)|CREATE TABLE",
                "CREATE TABLE \"USER\" (a INT)|CREATE TABLE",
                "DROP TABLE t|DROP TABLE",
                "DROP SCHEMA s CASCADE|DROP SCHEMA",
                "END|COMMIT",
                "ABORT|ROLLBACK",
                "START TRANSACTION|START TRANSACTION",
                "DECLARE c CURSOR FOR SELECT 1|DECLARE CURSOR"
            })
    void isPostgres(String statement, String tag) {
        assertThat(CommandTag.of(FixedFacts.translated(statement).words())).isEqualTo(tag);
    }
}
