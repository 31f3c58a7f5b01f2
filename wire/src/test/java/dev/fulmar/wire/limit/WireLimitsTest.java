package dev.fulmar.wire.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.FulmarException;
import org.junit.jupiter.api.Test;

class WireLimitsTest {
    @Test
    void defaultsAreWhatTheDocumentationSays() {
        assertThat(WireLimits.DEFAULT).isEqualTo(new WireLimits(16 << 20, 15 << 20, 15 << 20, 4096, 4096));
    }

    @Test
    void limitsSurviveTheWayThroughAMessage() {
        WireLimits limits = new WireLimits(1 << 20, 1000, 2000, 3, 0);
        assertThat(WireLimits.of(limits.toMessage())).isEqualTo(limits);
    }

    @Test
    void impossibleLimitsAreRefusedWithTheRange() {
        assertRefused("frames", 1000, 100, 100, 1, 1);
        assertRefused("parameters", 1 << 20, 1 << 20, 100, 1, 1);
        assertRefused("results", 1 << 20, 100, 1 << 20, 1, 1);
        assertRefused("outstanding", 1 << 20, 100, 100, 0, 1);
        assertRefused("bound", 1 << 20, 100, 100, 1, -1);
    }

    private static void assertRefused(String what, int frame, int parameters, int results, int outstanding, int bound) {
        assertThatThrownBy(() -> new WireLimits(frame, parameters, results, outstanding, bound))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining(what)
                .hasMessageContaining("choose");
    }
}
