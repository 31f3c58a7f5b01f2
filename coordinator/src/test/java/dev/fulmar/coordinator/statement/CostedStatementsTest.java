package dev.fulmar.coordinator.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.spi.Statistics;
import dev.fulmar.engine.spi.Statistics.KeyValues;
import dev.fulmar.engine.spi.Statistics.TableFigures;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CostedStatementsTest {
    private static Statistics rows(long first, long second) {
        List<KeyValues> keys = List.of(new KeyValues(List.of(0), 9), new KeyValues(List.of(1, 0), 70));
        return new Statistics(
                new TreeMap<>(Map.of(3, new TableFigures(first, keys), 12, new TableFigures(second, List.of()))));
    }

    @Test
    void statisticsTravelWithTheText() {
        CostedStatement weighed = new CostedStatement("SELECT '|\u0001' FROM t", rows(1_000_000_000_000L, 0));
        assertThat(CostedStatement.of(weighed.text())).isEqualTo(weighed);
        CostedStatement nothing = new CostedStatement("SELECT 1", Statistics.NONE);
        assertThat(CostedStatement.of(nothing.text())).isEqualTo(nothing);
    }

    @Test
    void otherTextsAreStatements() {
        assertThat(CostedStatement.of("SELECT 1")).isNull();
        assertThat(CostedStatement.of("")).isNull();
        for (String malformed :
                List.of("\u0001SELECT 1", "\u0001|x 1\u0001SELECT 1", "\u0001|1 2 3\u0001", "\u0001|1\u0001")) {
            assertThatThrownBy(() -> CostedStatement.of(malformed)).isInstanceOf(FulmarException.class);
        }
    }

    private static boolean isOutdated(Statistics before, Statistics now) {
        return new StatementBasis(new TreeSet<>(List.of(3)), before).isOutdated(now);
    }

    @Test
    void aPlanIsOutdatedWhereATableHasManyTimesTheRows() {
        assertThat(isOutdated(rows(100, 1), rows(100, 1))).isFalse();
        assertThat(isOutdated(rows(100, 1), rows(999, 1))).isFalse();
        assertThat(isOutdated(rows(100, 1), rows(1_001, 1))).isTrue();
        assertThat(isOutdated(rows(10_000, 1), rows(79_000, 1))).isFalse();
        assertThat(isOutdated(rows(10_000, 1), rows(90_000, 1))).isTrue();
        assertThat(isOutdated(rows(90_000, 1), rows(10_000, 1))).isTrue();
        assertThat(isOutdated(rows(100, 1), rows(100, 1_000_000))).isFalse();
    }

    @Test
    void aPlanIsOutdatedWhereATableWasUnknown() {
        assertThat(isOutdated(Statistics.NONE, rows(100, 1))).isFalse();
        assertThat(isOutdated(Statistics.NONE, rows(2_000, 1))).isTrue();
        assertThat(isOutdated(rows(2_000, 1), Statistics.NONE)).isFalse();
    }

    @Test
    void comparesOnceOnly() {
        StatementBasis basis = new StatementBasis(new TreeSet<>(List.of(3)), rows(100, 1));
        Statistics same = rows(200, 1);
        assertThat(basis.isOutdated(same)).isFalse();
        assertThat(basis.isOutdated(same)).isFalse();
        assertThat(basis.isOutdated(rows(2_000, 1))).isTrue();
        assertThat(basis.isOutdated(rows(2_000, 1))).isTrue();
    }
}
