package dev.fulmar.postgres.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements about the catalog come into words of the engine; others stay as they are. */
class CatalogWordsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SELECT c.oid FROM pg_class c|SELECT \"C\" . \"OID\" FROM PG_CATALOG.\"PG_CLASS\" \"C\"",
                "SELECT 1 FROM information_schema.tables|SELECT 1 FROM PG_INFORMATION_SCHEMA.\"TABLES\"",
                "SELECT pg_catalog.lower(relname) FROM pg_class|SELECT LOWER (relname) FROM PG_CATALOG.\"PG_CLASS\"",
                "SELECT format_type(1, 2)|SELECT PG_CATALOG.FORMAT_TYPE (1, 2)",
                "SELECT 1 FROM pg_class WHERE relname OPERATOR(pg_catalog.~) 'a' COLLATE pg_catalog.default"
                        + "|SELECT 1 FROM PG_CATALOG.\"PG_CLASS\" WHERE relname ~ 'a'",
                "SELECT 1 FROM pg_class WHERE relname LIKE 'a'"
                        + "|SELECT 1 FROM PG_CATALOG.\"PG_CLASS\" WHERE relname LIKE 'a'",
                "SELECT 'a'::regclass|SELECT CAST ( 'a' AS PG_CATALOG.REGCLASS )",
                "SELECT c.oid FROM pg_class c, pg_catalog.generate_series(1, 2) p(n)|SELECT \"C\" . \"OID\" FROM PG_CATALOG.\"PG_CLASS\" \"C\" , generate_series(1, 2) p(n)"
            })
    void writesStatements(String source, String expected) {
        assertThat(FixedFacts.words(source)).isEqualTo(expected);
    }

    @Test
    void makesRowsOfElements() {
        assertThat(FixedFacts.words("SELECT (information_schema._pg_expandarray(i.indkey)).n,"
                        + " information_schema._pg_expandarray(i.indkey) AS keys FROM pg_index i WHERE true"))
                .startsWith("SELECT EXPANDED_ARRAY.N , i . indkey[EXPANDED_ARRAY.N - 1] AS")
                .contains("AS EXPANDED_ARRAY (N) ON EXPANDED_ARRAY.N <= PG_CATALOG.CARDINALITY(i . indkey) WHERE true");
    }

    @Test
    void expandsArraysOfTheCatalog() {
        assertThat(FixedFacts.words("SELECT unnest(i.indkey) AS n, generate_subscripts(i.indkey, $1) AS ord"
                        + " FROM pg_catalog.pg_index i WHERE true"))
                .contains("\"INDKEY\" [EXPANDED_ARRAY.N - 1] AS", "(EXPANDED_ARRAY.N - ? ) AS")
                .contains("ON EXPANDED_ARRAY.N <= PG_CATALOG.CARDINALITY(i . indkey) WHERE true");
        assertThat(FixedFacts.words("SELECT unnest(c.conkey), generate_subscripts(c.conkey, 1) FROM pg_constraint c"))
                .contains("\"CONKEY\" [EXPANDED_ARRAY.N]", "(EXPANDED_ARRAY.N + 1 - 1)");
    }

    @Test
    void textsOfObjectsNeedNoParameters() {
        assertThat(FixedFacts.words(
                        "SELECT pg_get_constraintdef(c.oid, $1), pg_get_indexdef(c.oid, $2) FROM pg_constraint c"))
                .contains("PG_GET_CONSTRAINTDEF ( \"C\" . \"OID\" )", "PG_GET_INDEXDEF ( \"C\" . \"OID\" , ?)");
    }

    /** Words of pg_catalog that stand for something else change nothing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a.pg_class FROM a",
                "SELECT \"b\" FROM t WHERE x LIKE 'a'",
                "CREATE TABLE t (a INTEGER DEFAULT 1)",
                "SELECT oid, name FROM t",
                "CREATE VIEW v AS SELECT current_user"
            })
    void leavesOthersAlone(String source) {
        assertThat(FixedFacts.words(source)).isEqualToIgnoringCase(source);
    }

    @Test
    void queriesOfEmptyTablesYieldNothing() {
        assertThat(FixedFacts.words(
                        "SELECT t.tgname, unknown(t.oid) AS x, NULL FROM pg_trigger t WHERE broken(t.a) ORDER BY 1"))
                .isEqualTo("SELECT CAST(NULL AS VARCHAR) AS \"TGNAME\", CAST(NULL AS VARCHAR) AS \"X\","
                        + " CAST(NULL AS VARCHAR) FROM PG_CATALOG.PG_INHERITS WHERE FALSE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT count(*) FROM pg_trigger t",
                "SELECT c.oid FROM pg_class c LEFT JOIN pg_trigger t ON t.tgrelid = c.oid",
                "SELECT c.oid FROM pg_trigger t RIGHT JOIN pg_class c ON t.tgrelid = c.oid"
            })
    void queriesThatYieldRowsOfEmptyTablesStay(String source) {
        assertThat(FixedFacts.words(source)).doesNotContain("WHERE FALSE");
    }

    @Test
    void settingsAndTheDatabaseAreThoseOfTheSession() {
        assertThat(FixedFacts.words("SELECT setting FROM pg_settings"))
                .contains("('server_version', '15.0 (Fulmar)'")
                .contains("AS PG_SETTINGS");
        assertThat(FixedFacts.words("SELECT datname FROM pg_catalog.pg_database d"))
                .contains("'shop' AS DATNAME");
        assertThat(FixedFacts.words("SELECT current_setting('server_version'), current_schemas(true)"))
                .isEqualTo("SELECT '15.0 (Fulmar)' , \"#CURRENT_SCHEMAS\"(TRUE)");
    }
}
