package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import org.junit.jupiter.api.Test;

class ChangingTableTest {
    private static final int ROWS = 300;

    private final ChangingTable table = new ChangingTable("T", true);
    private final SimulatedWorld world = new SimulatedWorld(1);

    private long rowsThatMayBreakSomething(String stream) {
        RandomSource random = world.random(stream);
        long breaking = 0;
        for (long number = 1; number <= ROWS; number++) {
            ChangingTable.Row row = table.next(random, table.rows().size() + 1);
            breaking += table.mayBreakCheck(row) || table.mayBreakUnique(row) ? 1 : 0;
        }
        return breaking;
    }

    @Test
    void rowsBreakWhatSomebodyAskedForAndNothingElse() {
        assertThat(rowsThatMayBreakSomething("before")).isZero();

        table.drawForbidden("K1", world.random("check"));
        assertThat(rowsThatMayBreakSomething("check")).isPositive();

        ChangingTable other = new ChangingTable("O", true);
        ChangingTable.Row first = other.harmless(1);
        ChangingTable.Row second = other.harmless(2);
        other.beginUnique();
        assertThat(other.mayBreakUnique(first)).isFalse();
        assertThat(other.mayBreakUnique(second)).isFalse();
    }

    @Test
    void aRowHasItsColumnsAndDefaultsInThoseThatWereAdded() {
        ChangingTable.Row row = table.harmless(5);
        Object[] arguments = row.arguments();
        long id = (Long) arguments[0];
        long value = (Long) arguments[2];

        assertThat(row.has(new long[] {id, 5, value})).isTrue();
        assertThat(row.has(new long[] {id, 5, value, ChangingTable.DEFAULT})).isTrue();
        assertThat(row.has(new long[] {id, 5, value, 0})).isFalse();
        assertThat(row.has(new long[] {id, 5, value + 1})).isFalse();
    }
}
