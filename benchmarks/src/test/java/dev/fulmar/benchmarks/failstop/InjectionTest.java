package dev.fulmar.benchmarks.failstop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InjectionTest {
    /** A campaign that goes on finds the thread again, although ZooKeeper has another port. */
    @Test
    void aThreadKeepsItsNameWhenAPortChanges() {
        assertThat(Injection.withoutPort("main-SendThread(127.0.0.1:39797)")).isEqualTo("main-SendThread(127.0.0.1:*)");
        assertThat(Injection.withoutPort("fulmar-links-1")).isEqualTo("fulmar-links-1");
    }

    /** A planner that was there when the strikes were chosen has ended since, and another one has its place. */
    @Test
    void threadsOfAPoolStandForEachOther() {
        assertThat(Injection.withoutNumber("fulmar-planner-12")).isEqualTo("fulmar-planner");
        assertThat(Injection.withoutNumber("fulmar-links-1-2")).isEqualTo("fulmar-links-1");
        assertThat(Injection.withoutNumber("log log")).isEqualTo("log log");
    }
}
