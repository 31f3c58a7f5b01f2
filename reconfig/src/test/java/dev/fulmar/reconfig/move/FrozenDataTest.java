package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.spi.Presence;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrozenDataTest {
    private final FrozenData frozen = new FrozenData();

    @Test
    void whatWaitedGoesOnAtTheThaw() {
        List<String> resumed = new ArrayList<>();
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
    }

    private static void wait(Presence presence, Runnable resume) {
        assertThat(presence)
                .isInstanceOfSatisfying(
                        Presence.Absent.class, absent -> absent.need().fetch(resume));
    }
}
