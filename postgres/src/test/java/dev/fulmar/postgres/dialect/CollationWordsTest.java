package dev.fulmar.postgres.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CollationWordsTest {
    @Test
    void whatIsSoAnywayIsLeftOut() {
        assertThat(FixedFacts.words("CREATE TABLE t (a text COLLATE \"C\" NOT NULL)"))
                .isEqualTo("CREATE TABLE t (a text NOT NULL)");
        assertThat(FixedFacts.words("SELECT a COLLATE pg_catalog.\"default\" FROM t"))
                .isEqualTo("SELECT a FROM t");
        assertThat(FixedFacts.words("CREATE INDEX i ON t (lower(a) COLLATE \"C\" text_pattern_ops, b int4_ops DESC)"))
                .isEqualTo("CREATE INDEX i ON t (lower(a) , b DESC)");
    }

    @Test
    void otherOrdersAndNamesStay() {
        assertThat(FixedFacts.words("SELECT a COLLATE \"de_DE\" FROM t")).contains("COLLATE");
        assertThat(FixedFacts.words("SELECT text_ops FROM t")).isEqualTo("SELECT text_ops FROM t");
    }
}
