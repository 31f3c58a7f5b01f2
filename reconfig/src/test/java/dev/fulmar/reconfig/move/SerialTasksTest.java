package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SerialTasksTest {
    private final SerialTasks tasks = new SerialTasks();
    private final List<Integer> ran = new ArrayList<>();

    @Test
    void tasksRunOneAfterAnother() {
        tasks.run(() -> {
            tasks.run(() -> ran.add(2));
            ran.add(1);
        });
        assertThat(ran).containsExactly(1, 2);
    }

    @Test
    void aDefectOfOneTaskBlocksNoOther() {
        Runnable broken = () -> {
            tasks.run(() -> ran.add(1));
            throw new IllegalStateException("broken");
        };
        assertThatThrownBy(() -> tasks.run(broken)).hasMessage("broken");
        tasks.run(() -> ran.add(2));
        assertThat(ran).containsExactly(1, 2);
    }

    /** A destination drops the rows of a move of which it hears nothing for long. */
    @Test
    void pausesBetweenChunksAreShorterThanTheSilenceOfAMove() {
        assertThat(new MovePace(1, MovePace.MOST_DELAY_NANOS, MovePace.UNLIMITED).delayNanos())
                .isLessThan(20_000_000_000L);
        assertThatThrownBy(() -> new MovePace(1, MovePace.MOST_DELAY_NANOS + 1, MovePace.UNLIMITED))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("5000 ms");
    }
}
