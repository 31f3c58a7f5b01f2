package dev.fulmar.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class AddressTableTest {
    @Test
    void holdsWhatAMapHolds() {
        Random random = new Random(3);
        AddressTable table = new AddressTable();
        TreeMap<Long, Long> expected = new TreeMap<>();
        for (int i = 0; i < 100_000; i++) {
            long key = 8L * (1 + random.nextInt(20_000));
            if (random.nextInt(3) == 0) {
                Long value = expected.remove(key);
                assertThat(table.remove(key)).isEqualTo(value == null ? 0 : value);
            } else {
                table.put(key, i + 1L);
                expected.put(key, i + 1L);
            }
            assertThat(table.contains(key)).isEqualTo(expected.containsKey(key));
        }
        assertThat(table.size()).isEqualTo(expected.size());
        TreeSet<Long> taken = new TreeSet<>();
        while (table.size() > 0) {
            taken.add(table.takeAny());
        }
        assertThat(taken).isEqualTo(expected.keySet());
    }
}
