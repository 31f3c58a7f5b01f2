package dev.fulmar.foundation.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.SimulatedWorld.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EventQueueTest {
    private static final int[] REACHES = {1, 1_000, 1_000_000, 50_000_000, Integer.MAX_VALUE};

    /** Whatever is added, however far ahead, comes in the order in which a single queue would give it. */
    @Test
    void eventsComeInTheirOrder() {
        for (long seed = 0; seed < 50; seed++) {
            SeededRandom random = new SeededRandom(seed);
            EventQueue queue = new EventQueue();
            PriorityQueue<Event> expected = new PriorityQueue<>();
            List<Event> added = new ArrayList<>();
            long now = 0;
            for (int i = 0; i < 2_000; i++) {
                if (random.nextInt(5) < 3) {
                    long time = now
                            + (long) random.nextInt(REACHES[random.nextInt(REACHES.length)]) * (1 + random.nextInt(5));
                    Event event = new Event(time, i, null, "event", () -> {});
                    queue.add(event);
                    expected.add(event);
                    added.add(event);
                } else if (random.nextInt(3) == 0 && !added.isEmpty()) {
                    added.get(random.nextInt(added.size())).cancel();
                } else {
                    Event next = nextOf(queue);
                    assertThat(next).isSameAs(nextOf(expected));
                    now = next == null ? now : next.timeNanos();
                }
                if (i % 500 == 0) {
                    queue.forgetDead();
                }
            }
            for (Event next = nextOf(expected); next != null; next = nextOf(expected)) {
                assertThat(nextOf(queue)).isSameAs(next);
            }
            assertThat(nextOf(queue)).isNull();
        }
    }

    private static @Nullable Event nextOf(EventQueue queue) {
        Event next = queue.poll();
        while (next != null && next.isDead()) {
            next = queue.poll();
        }
        return next;
    }

    private static @Nullable Event nextOf(PriorityQueue<Event> queue) {
        Event next = queue.poll();
        while (next != null && next.isDead()) {
            next = queue.poll();
        }
        return next;
    }
}
