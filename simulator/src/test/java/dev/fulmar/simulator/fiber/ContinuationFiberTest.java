package dev.fulmar.simulator.fiber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContinuationFiberTest {
    private final SimulatedWorld world = new SimulatedWorld(1);
    private final SimulatedProcess process = world.startProcess(new NodeId(1));
    private final ContinuationFibers fibers = new ContinuationFibers(process);
    private final List<String> events = new ArrayList<>();

    /** A fiber that parks so often and tells what it does. */
    private ContinuationFiber parking(String name, int times) {
        ContinuationFiber[] self = new ContinuationFiber[1];
        self[0] = fibers.create(name, () -> {
            events.add(name + " begins");
            for (int i = 0; i < times; i++) {
                self[0].park();
                events.add(name + " goes on");
            }
        });
        return self[0];
    }

    private void runAll() {
        assertThat(world.runUntilIdle(1_000)).isTrue();
    }

    @Test
    void aFiberWaitsUntilItIsUnparked() {
        ContinuationFiber fiber = parking("a", 2);
        fiber.start();
        assertThat(events).isEmpty();
        runAll();
        assertThat(events).containsExactly("a begins");
        fiber.unpark();
        assertThat(events).hasSize(1);
        runAll();
        assertThat(events).containsExactly("a begins", "a goes on");
        assertThat(fiber.isDone()).isFalse();
        fiber.unpark();
        runAll();
        assertThat(fiber.isDone()).isTrue();
        fiber.unpark();
        runAll();
        assertThat(events).hasSize(3);
    }

    @Test
    void anUnparkBeforeTheWaitEndsIt() {
        ContinuationFiber fiber = parking("a", 2);
        fiber.unpark();
        fiber.unpark();
        fiber.start();
        runAll();
        assertThat(events).containsExactly("a begins", "a goes on");
        assertThatThrownBy(fiber::start).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anUnparkWhileItRunsIsKept() {
        ContinuationFiber[] self = new ContinuationFiber[1];
        self[0] = fibers.create("a", () -> {
            self[0].unpark();
            events.add("unparked itself");
            self[0].park();
            events.add("went on");
        });
        self[0].start();
        runAll();
        assertThat(events).containsExactly("unparked itself", "went on");
    }

    @Test
    void manyFibersRepeatFromTheirSeed() {
        assertThat(interleaving(3)).isEqualTo(interleaving(3));
        assertThat(interleaving(3)).isNotEqualTo(interleaving(4));
    }

    private static List<Integer> interleaving(long seed) {
        SimulatedWorld world = new SimulatedWorld(seed);
        ContinuationFibers fibers = new ContinuationFibers(world.startProcess(new NodeId(1)));
        List<Integer> order = new ArrayList<>();
        List<ContinuationFiber> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int number = i;
            all.add(fibers.create("fiber", () -> {
                for (int round = 0; round < 10; round++) {
                    order.add(number);
                    all.get((number + 1) % 100).unpark();
                    all.get(number).park();
                }
            }));
        }
        all.forEach(ContinuationFiber::start);
        world.runUntilIdle(100_000);
        assertThat(order).hasSizeGreaterThan(500);
        return order;
    }

    @Test
    void aFiberOfADeadProcessIsNeverResumed() {
        ContinuationFiber fiber = parking("a", 1);
        fiber.start();
        runAll();
        fiber.unpark();
        process.crash();
        runAll();
        assertThat(events).containsExactly("a begins");
    }
}
