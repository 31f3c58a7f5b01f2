package dev.fulmar.node.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LifecycleTest {
    private final List<String> events = new ArrayList<>();

    @Test
    void partsStopInReverseAndOnce() {
        Lifecycle lifecycle = new Lifecycle();
        add(lifecycle, "a");
        add(lifecycle, "b");
        lifecycle.start();
        lifecycle.stop();
        lifecycle.stop();
        assertThat(events).containsExactly("a up", "b up", "b down", "a down");
    }

    @Test
    void aPartThatDoesNotStartTakesTheOthersDown() {
        Lifecycle lifecycle = new Lifecycle();
        add(lifecycle, "a");
        lifecycle.add(
                "b",
                () -> {
                    throw new IllegalStateException("planted");
                },
                () -> events.add("b down"));
        add(lifecycle, "c");
        assertThatThrownBy(lifecycle::start).hasMessage("planted");
        assertThat(events).containsExactly("a up", "a down");
    }

    @Test
    void aPartThatDoesNotStopHoldsUpNobody() {
        Lifecycle lifecycle = new Lifecycle();
        add(lifecycle, "a");
        lifecycle.add("b", () -> events.add("b up"), () -> {
            throw new IllegalStateException("planted");
        });
        lifecycle.start();
        lifecycle.stop();
        assertThat(events).containsExactly("a up", "b up", "a down");
    }

    private void add(Lifecycle lifecycle, String name) {
        lifecycle.add(name, () -> events.add(name + " up"), () -> events.add(name + " down"));
    }
}
