package dev.fulmar.engine.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.SchemaName;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class TemporaryMarkTest {
    private static final String SCHEMA = SchemaName.temporary(3, 0xABCDEFL);

    @Test
    void aMarkIsReadAsItIsWritten() {
        String marked = TemporaryMark.added("SELECT 1 /* one */", SCHEMA);
        assertThat(TemporaryMark.of(marked)).isEqualTo(SCHEMA);
        assertThat(TemporaryMark.removed(marked)).isEqualTo("SELECT 1 /* one */");
        assertThat(TemporaryMark.added("SELECT 1", "")).isEqualTo("SELECT 1");
    }

    @Test
    void aZoneMayFollow() {
        String marked = ZoneMark.added(TemporaryMark.added("SELECT 1", SCHEMA), ZoneId.of("Europe/Oslo"));
        assertThat(TemporaryMark.of(marked)).isEqualTo(SCHEMA);
        assertThat(ZoneMark.of(marked)).isEqualTo(ZoneId.of("Europe/Oslo"));
        assertThat(TemporaryMark.removed(marked)).isEqualTo("SELECT 1");
        assertThat(TemporaryMark.copied(marked, "SELECT 2")).isEqualTo(marked.replace('1', '2'));
        assertThat(TemporaryMark.of(TemporaryMark.copied(marked, marked))).isEqualTo(SCHEMA);
    }

    @Test
    void otherCommentsAreNone() {
        for (String sql : new String[] {
            "SELECT 1",
            "SELECT '/* TEMPORARY " + SCHEMA + " */'",
            "SELECT /* TEMPORARY " + SCHEMA + " */ 1",
            "SELECT 1 /* TEMPORARY SHOP */",
            "SELECT 1 /* TEMPORARY */",
        }) {
            assertThat(TemporaryMark.of(sql)).as(sql).isEmpty();
        }
    }

    @Test
    void namesOfSchemasAreOfOneForm() {
        assertThat(SCHEMA).isEqualTo("PG_TEMP_3_0000000000ABCDEF");
        assertThat(SchemaName.nodeOf(SCHEMA)).isEqualTo(3);
        assertThat(SchemaName.isTemporary(SCHEMA)).isTrue();
        assertThat(SchemaName.isInTemporary(SCHEMA + ".T")).isTrue();
        for (String name :
                new String[] {"PG_TEMP", "PG_TEMP_3", "PG_TEMP_X_0000000000ABCDEF", SCHEMA + "0", "PUBLIC"}) {
            assertThat(SchemaName.isTemporary(name)).as(name).isFalse();
            assertThat(SchemaName.isInTemporary(name + ".T")).as(name).isFalse();
        }
    }
}
