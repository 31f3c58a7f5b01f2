package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.spi.Presence;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrozenDataTest {
    private final FrozenData frozen = new FrozenData(List.of(
            new KeyRange(KeySpace.INTEGER, 10, 11),
            new KeyRange(KeySpace.INTEGER, 20, 20),
            new KeyRange(KeySpace.HASH, 11, Long.MAX_VALUE)));

    @Test
    void whatWaitedGoesOnAtTheThaw() {
        List<String> resumed = new ArrayList<>();
        assertThat(frozen.guardsRoutes()).isTrue();
        wait(frozen.ofKey(KeySpace.INTEGER, 11), () -> resumed.add("first"));
        wait(frozen.ofAll(), () -> resumed.add("second"));
        Presence late = frozen.ofAll();
        assertThat(resumed).isEmpty();
        assertThat(frozen.guardsFragments()).isFalse();
        frozen.thaw();
        assertThat(resumed).containsExactly("first", "second");
        wait(late, () -> resumed.add("third"));
        assertThat(resumed).hasSize(3);
        assertThat(frozen.ofKey(KeySpace.HASH, 11)).isEqualTo(Presence.PRESENT);
        assertThat(frozen.ofAll()).isEqualTo(Presence.PRESENT);
        assertThat(frozen.guardsRoutes()).isFalse();
    }

    @Test
    void keysThatStayAreNotHeldUp() {
        for (long key : List.of(Long.MIN_VALUE, 9L, 12L, 19L, 21L, Long.MAX_VALUE)) {
            assertThat(frozen.ofKey(KeySpace.INTEGER, key)).isEqualTo(Presence.PRESENT);
        }
        for (long key : List.of(10L, 11L, 20L)) {
            assertThat(frozen.ofKey(KeySpace.INTEGER, key)).isInstanceOf(Presence.Absent.class);
        }
        assertThat(frozen.ofKey(KeySpace.HASH, 10)).isEqualTo(Presence.PRESENT);
        assertThat(frozen.ofKey(KeySpace.HASH, 11)).isInstanceOf(Presence.Absent.class);
    }

    private static void wait(Presence presence, Runnable resume) {
        assertThat(presence)
                .isInstanceOfSatisfying(
                        Presence.Absent.class, absent -> absent.need().fetch(resume));
    }
}
