package dev.fulmar.foundation.agent.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ThreadAffinityTest {
    @Test
    void aThreadIsPinnedAndNoOtherIs() throws InterruptedException {
        List<Integer> before = ThreadAffinity.allowedCores();
        assumeThat(before).isNotEmpty();
        AtomicReference<ThreadAffinity.Outcome> outcome = new AtomicReference<>();
        AtomicReference<List<Integer>> inside = new AtomicReference<>();
        Thread thread = Thread.ofPlatform().name("pinned").start(() -> {
            outcome.set(ThreadAffinity.pinCurrentThread(before.getFirst()));
            inside.set(ThreadAffinity.allowedCores());
        });
        thread.join();
        assertThat(outcome.get().pinned()).as(outcome.get().report()).isTrue();
        assertThat(inside.get()).containsExactly(before.getFirst());
        assertThat(ThreadAffinity.allowedCores()).isEqualTo(before);
    }

    @Test
    void aCoreThatIsNotThereIsReported() {
        assertThat(ThreadAffinity.pinCurrentThread(1023).pinned()).isFalse();
        assertThat(ThreadAffinity.pinCurrentThread(1023).report()).contains("core 1023");
        assertThat(ThreadAffinity.pinCurrentThread(-1).pinned()).isFalse();
        assertThat(ThreadAffinity.pinCurrentThread(100_000).pinned()).isFalse();
    }
}
