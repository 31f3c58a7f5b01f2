package dev.fulmar.engine.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.IntervalStyle;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.FulmarException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class ZoneMarkTest {
    private static final ZoneId OSLO = ZoneId.of("Europe/Oslo");

    @Test
    void aMarkIsReadAsItIsWritten() {
        for (ZoneId zone : new ZoneId[] {OSLO, ZoneOffset.UTC, ZoneOffset.ofHoursMinutes(-3, -30)}) {
            String marked = ZoneMark.added("SELECT 1 /* one */", zone);
            assertThat(ZoneMark.of(marked)).isEqualTo(zone);
            assertThat(ZoneMark.removed(marked).strip()).isEqualTo("SELECT 1 /* one */");
        }
    }

    @Test
    void clientsWriteItInTheirWay() {
        assertThat(ZoneMark.of("SELECT 1\n/* time  zone europe/oslo*/ ;\n")).isEqualTo(OSLO);
        assertThatThrownBy(() -> ZoneMark.of("SELECT 1 /* TIME ZONE Mars/Base */"))
                .isInstanceOf(FulmarException.class);
    }

    /** Earlier versions take all of the mark for a zone's name, and refuse the statement. */
    @Test
    void aStyleIsAPartOfTheZonesName() {
        for (DateOrder order : DateOrder.values()) {
            for (IntervalStyle intervals : IntervalStyle.values()) {
                StatementStyle style = new StatementStyle(OSLO, order, intervals);
                String marked = ZoneMark.added("SELECT 1", style);
                assertThat(ZoneMark.style(marked)).isEqualTo(style);
                assertThat(ZoneMark.removed(marked)).isEqualTo("SELECT 1");
                assertThat(TemporaryMark.copied(marked, "SELECT 2")).isEqualTo(marked.replace("SELECT 1", "SELECT 2"));
            }
        }
        assertThat(ZoneMark.added(
                        "SELECT 1", new StatementStyle(ZoneOffset.UTC, DateOrder.DMY, IntervalStyle.POSTGRES)))
                .isEqualTo("SELECT 1 /* TIME ZONE UTC;DMY */");
        assertThat(ZonedTime.zone("UTC;DMY")).isEmpty();
        assertThatThrownBy(() -> ZoneMark.style("SELECT 1 /* TIME ZONE UTC;XYZ */"))
                .isInstanceOf(FulmarException.class);
    }

    @Test
    void otherCommentsAreNone() {
        assertThat(ZoneMark.of("SELECT '/* TIME ZONE Europe/Oslo */'")).isEqualTo(ZoneOffset.UTC);
        assertThat(ZoneMark.of("SELECT /* TIME ZONE Europe/Oslo */ 1")).isEqualTo(ZoneOffset.UTC);
        assertThat(ZoneMark.of("SELECT 1 /* the time zone counts */")).isEqualTo(ZoneOffset.UTC);
        assertThat(ZoneMark.of("SELECT 1 /* TIME ZONE a b */")).isEqualTo(ZoneOffset.UTC);
    }
}
