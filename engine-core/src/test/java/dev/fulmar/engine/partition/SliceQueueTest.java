package dev.fulmar.engine.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SliceQueueTest {
    private final List<String> ran = new ArrayList<>();
    private final SliceQueue slices = new SliceQueue();

    private SliceQueue.Slice slice(String name, int pieces) {
        int[] left = {pieces};
        return () -> {
            ran.add(name);
            return --left[0] == 0;
        };
    }

    @Test
    void readersTakeTurnsUntilEachIsDone() {
        slices.add(slice("a", 3));
        slices.add(slice("b", 1));
        while (!slices.isEmpty()) {
            slices.run();
        }
        assertThat(ran).containsExactly("a", "b", "a", "a");
    }
}
