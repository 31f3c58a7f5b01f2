package dev.fulmar.coordinator.durability.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StreamAssignmentTest {
    @Test
    void aLongStreamHasAThreadForItself() {
        int[] threads = StreamAssignment.deal(new long[] {10, 90, 20, 30, 25}, 2);
        assertThat(threads).containsExactly(1, 0, 1, 1, 1);
    }

    @Test
    void equalStreamsAreDealtOutEvenly() {
        int[] threads =
                StreamAssignment.deal(LongStream.generate(() -> 0).limit(7).toArray(), 3);
        assertThat(threads).containsExactly(0, 1, 2, 0, 1, 2, 0);
    }
}
