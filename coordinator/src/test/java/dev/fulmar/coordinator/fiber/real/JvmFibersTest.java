package dev.fulmar.coordinator.fiber.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.fiber.FiberHome;
import dev.fulmar.coordinator.fiber.FiberStretch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class JvmFibersTest {
    private final List<FiberStretch> stretches = new ArrayList<>();
    private final FiberHome home = stretches::add;

    @Test
    void aHomeThatChangesItsThreadRunsNoContinuation() throws Exception {
        CompletableFuture<Boolean> virtual = new CompletableFuture<>();

        new JvmFibers(false)
                .create(
                        "test",
                        home,
                        () -> virtual.complete(Thread.currentThread().isVirtual()))
                .start();

        assertThat(virtual.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(stretches).isEmpty();
    }

    @Test
    void aHomeThatKeepsItsThreadRunsTheFiberItself() {
        List<Thread> ran = new ArrayList<>();

        new JvmFibers(true)
                .create("test", home, () -> ran.add(Thread.currentThread()))
                .start();
        stretches.forEach(FiberStretch::run);

        assertThat(ran).containsExactly(Thread.currentThread());
    }
}
