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
}
