package dev.fulmar.simulator.chaos;

import dev.fulmar.benchmarks.cluster.Wires;
import dev.fulmar.benchmarks.powercut.Device;
import dev.fulmar.foundation.random.RandomSource;
import java.util.HashSet;
import java.util.Set;

/**
 * Draws a random {@link Fault} of a given kind for the {@link Chaos} experiment: its node, duration and strength. One
 * thread.
 */
final class FaultSource {
    private static final int SHORTEST_MILLIS = 1_000;
    private static final int USUAL_MILLIS = 5_000;
    private static final int LONGEST_PAUSE_MILLIS = 60_000;
    private static final int LONG_ONE_IN = 4;
    private static final int LEAST_STEP_MILLIS = 100;
    private static final int MOST_STEP_MILLIS = 30_000;
    private static final int LEAST_LATENCY_MILLIS = 20;
    private static final int MORE_LATENCY_MILLIS = 500;

    private final RandomSource random;
    private final int nodes;
    private final boolean quick;

    /** @param quick without long ones */
    FaultSource(RandomSource random, int nodes, boolean quick) {
        this.random = random;
        this.nodes = nodes;
        this.quick = quick;
    }

    /** A fault of the kind. */
    Fault next(Fault.Kind kind) {
        return switch (kind) {
            case KILL -> new Fault.Kill(node(), random.nextInt(USUAL_MILLIS));
            case PAUSE -> new Fault.Pause(node(), pauseMillis());
            case PARTITION -> partition();
            case CLOCK_STEP -> new Fault.ClockStep(node(), stepMillis(), clockMillis());
            case POWER_CUT -> new Fault.PowerCut(random.nextInt(SHORTEST_MILLIS));
            case SLOW_DISK ->
                new Fault.SlowDisk(node(), LEAST_LATENCY_MILLIS + random.nextInt(MORE_LATENCY_MILLIS), diskMillis());
            case FULL_DISK ->
                new Fault.FullDisk(
                        node(), random.nextInt(2) == 0 ? Device.Fullness.GROWTH : Device.Fullness.WRITES, diskMillis());
        };
    }

    /** Up to half a minute, forth or back. */
    private int stepMillis() {
        int step = LEAST_STEP_MILLIS + random.nextInt(MOST_STEP_MILLIS - LEAST_STEP_MILLIS);
        return random.nextInt(2) == 0 ? step : -step;
    }

    /** A node looks once a second whether its clock is wrong. */
    private int clockMillis() {
        return 2 * SHORTEST_MILLIS + random.nextInt(USUAL_MILLIS);
    }

    private int diskMillis() {
        return SHORTEST_MILLIS + random.nextInt(2 * USUAL_MILLIS);
    }

    private int node() {
        return 1 + random.nextInt(nodes);
    }

    private int pauseMillis() {
        boolean isLong = !quick && random.nextInt(LONG_ONE_IN) == 0;
        return SHORTEST_MILLIS + random.nextInt((isLong ? LONGEST_PAUSE_MILLIS : USUAL_MILLIS) - SHORTEST_MILLIS);
    }

    private Fault partition() {
        int millis = SHORTEST_MILLIS + random.nextInt(2 * USUAL_MILLIS);
        int node = node();
        Set<Wires.Way> ways = new HashSet<>();
        return switch (random.nextInt(6)) {
            case 0 -> {
                cutOff(ways, node, true, true);
                cutBoth(ways, node, Wires.STORE);
                yield new Fault.Partition("node " + node + " from all", ways, millis);
            }
            case 1 -> {
                cutOff(ways, node, true, true);
                yield new Fault.Partition("node " + node + " from the other nodes", ways, millis);
            }
            case 2 -> {
                cutOff(ways, node, true, false);
                yield new Fault.Partition("from node " + node + " one way", ways, millis);
            }
            case 3 -> {
                cutOff(ways, node, false, true);
                yield new Fault.Partition("to node " + node + " one way", ways, millis);
            }
            case 4 -> {
                for (int each = 1; each <= nodes; each++) {
                    ways.add(new Wires.Way(each, each % nodes + 1));
                }
                yield new Fault.Partition("a ring, each hears one side only", ways, millis);
            }
            default -> {
                cutBoth(ways, node, Wires.STORE);
                yield new Fault.Partition("node " + node + " from ZooKeeper", ways, millis);
            }
        };
    }

    private void cutOff(Set<Wires.Way> ways, int node, boolean out, boolean in) {
        for (int other = 1; other <= nodes; other++) {
            if (other != node && out) {
                ways.add(new Wires.Way(node, other));
            }
            if (other != node && in) {
                ways.add(new Wires.Way(other, node));
            }
        }
    }

    private static void cutBoth(Set<Wires.Way> ways, int one, int other) {
        ways.add(new Wires.Way(one, other));
        ways.add(new Wires.Way(other, one));
    }
}
