package dev.fulmar.benchmarks.hotrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.pgbench.BenchSystem;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HotRowWindowTest {
    private static HotRowWindow window(long... commits) {
        long[] latencies = LongStream.rangeClosed(1, 200).map(i -> 201 - i).toArray();
        return HotRowWindow.of(BenchSystem.FULMAR, HotRowCase.COUNTER, 3, 2.0, commits, latencies, 7);
    }

    @Test
    void figuresAreOfAllSessions() {
        HotRowWindow window = window(40, 10, 30, 20, 100);

        assertThat(window.perSecond()).isEqualTo(100);
        assertThat(window.p50Micros()).isEqualTo(100);
        assertThat(window.p99Micros()).isEqualTo(198);
        assertThat(window.least()).isEqualTo(10);
        assertThat(window.median()).isEqualTo(30);
        assertThat(window.most()).isEqualTo(100);
    }

    @Test
    void aSessionThatStarvesAndOneThatGetsTooMuchShow() {
        assertThat(window(20, 20, 20).unevenness()).isEqualTo(1);
        assertThat(window(5, 20, 20).unevenness()).isEqualTo(4);
        assertThat(window(20, 20, 60).unevenness()).isEqualTo(3);
        assertThat(window(0, 20, 20).unevenness()).isEqualTo(20);
    }

    @Test
    void aFileKeepsAllFigures() {
        HotRowWindow window = window(1, 2, 3);

        assertThat(window.columns()).hasSize(HotRowWindow.COLUMNS);
        assertThat(HotRowWindow.parse(window.columns())).isEqualTo(window);
        assertThat(window.is(BenchSystem.FULMAR, HotRowCase.COUNTER, 3)).isTrue();
        assertThat(window.is(BenchSystem.POSTGRESQL, HotRowCase.COUNTER, 3)).isFalse();
        assertThat(window.is(BenchSystem.FULMAR, HotRowCase.READ_MODIFY_WRITE, 3))
                .isFalse();
        assertThat(window.is(BenchSystem.FULMAR, HotRowCase.COUNTER, 2)).isFalse();
    }
}
