package dev.fulmar.postgres.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.FulmarException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TemporaryWordsTest {
    private static final SessionFacts NONE = new FixedFacts(Map.of());

    private static Translation translated(String sql) {
        return Translator.translate(new Translator.Part(sql, 0), NONE);
    }

    private static String words(String sql) {
        return translated(sql).sql().replaceAll("\\s+", " ").strip();
    }

    @Test
    void theSchemaStandsBeforeTheName() {
        assertThat(words("CREATE TEMP TABLE t (a INTEGER)")).isEqualTo("CREATE TABLE PG_TEMP. t (a INTEGER)");
        assertThat(words("CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS \"T\" (a INTEGER)"))
                .isEqualTo("CREATE TABLE IF NOT EXISTS PG_TEMP. \"t\" (a INTEGER)");
        assertThat(words("CREATE GLOBAL TEMP TABLE pg_temp.t (a INTEGER)"))
                .isEqualTo("CREATE TABLE pg_temp.t (a INTEGER)");
        assertThat(words("CREATE TEMP SEQUENCE s")).isEqualTo("CREATE SEQUENCE PG_TEMP. s CACHE 32 BOUNDED");
        assertThat(translated("CREATE LOCAL TEMP TABLE t (a INTEGER)").words()).startsWith("CREATE", "TABLE", "T");
    }

    @Test
    void onCommitIsLeftOut() {
        assertThat(words("CREATE TEMP TABLE t (a INTEGER) ON COMMIT PRESERVE ROWS"))
                .isEqualTo("CREATE TABLE PG_TEMP. t (a INTEGER)");
        assertThat(words("CREATE TEMP TABLE t (a INTEGER) WITH (fillfactor = 70) ON COMMIT DELETE ROWS"))
                .isEqualTo("CREATE TABLE PG_TEMP. t (a INTEGER)");
        assertThat(words("CREATE TEMP TABLE t ON COMMIT DROP AS SELECT a.x FROM a JOIN b ON a.x = b.x"))
                .isEqualTo("CREATE TABLE PG_TEMP. t AS SELECT a.x FROM a JOIN b ON a.x = b.x");
        assertThat(words("CREATE TABLE pg_temp.t (a INTEGER) ON COMMIT DROP"))
                .isEqualTo("CREATE TABLE pg_temp.t (a INTEGER)");
    }

    @Test
    void theChangeOfATableIsKnown() {
        assertThat(TableChange.of(translated("CREATE TEMP TABLE IF NOT EXISTS t (a INTEGER) ON COMMIT DROP")))
                .isEqualTo(new TableChange.Made("T", true, AtCommit.DROP, false));
        assertThat(TableChange.of(translated("CREATE TABLE pg_temp.\"Odd\" (a INTEGER) ON COMMIT DELETE ROWS")))
                .isEqualTo(new TableChange.Made("Odd", false, AtCommit.DELETE_ROWS, false));
        assertThat(TableChange.of(translated("CREATE TEMP TABLE t AS SELECT 1 AS a")))
                .isEqualTo(new TableChange.Made("T", false, AtCommit.PRESERVE_ROWS, false));
        assertThat(TableChange.of(translated("CREATE TABLE t (a INTEGER)"))).isNull();
        assertThat(TableChange.of(translated("CREATE TEMP SEQUENCE s")))
                .isEqualTo(new TableChange.Made("S", false, AtCommit.PRESERVE_ROWS, true));
        assertThat(TableChange.of(translated("CREATE UNIQUE INDEX ON t (a)"))).isEqualTo(new TableChange.Altered("T"));
        assertThat(TableChange.of(translated("ALTER TABLE ONLY t RENAME TO u")))
                .isEqualTo(new TableChange.Renamed("T", "U"));
        assertThat(TableChange.of(translated("DROP TABLE IF EXISTS pg_temp.t")))
                .isEqualTo(new TableChange.Dropped("T"));
        assertThat(TableChange.of(translated("DROP INDEX t"))).isNull();
        assertThat(TableChange.of(translated("ALTER TABLE t RENAME TO u")))
                .isEqualTo(new TableChange.Renamed("T", "U"));
        assertThat(TableChange.of(translated("ALTER TABLE t RENAME COLUMN a TO b")))
                .isEqualTo(new TableChange.Altered("T"));
        assertThat(TableChange.of(translated("DROP TABLE shop.t"))).isNotEqualTo(new TableChange.Dropped("T"));
    }

    @Test
    void whatIsNotThereIsRefused() {
        for (String sql : new String[] {
            "CREATE TEMP VIEW v AS SELECT 1 AS a",
            "CREATE TEMP TABLE public.t (a INTEGER)",
            "CREATE TABLE t (a INTEGER) ON COMMIT DROP",
            "CREATE TEMP TABLE t (a INTEGER) ON COMMIT KEEP ROWS",
        }) {
            assertThatThrownBy(() -> translated(sql)).as(sql).isInstanceOf(FulmarException.class);
        }
    }
}
