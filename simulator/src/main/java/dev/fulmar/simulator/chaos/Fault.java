package dev.fulmar.simulator.chaos;

import dev.fulmar.benchmarks.cluster.Wires;
import dev.fulmar.benchmarks.powercut.Device;
import java.util.Set;

/** A fault of a cluster. Nodes have the numbers from 1 on. */
sealed interface Fault {
    /** Kinds by which faults are counted. */
    enum Kind {
        KILL,
        PAUSE,
        PARTITION,
        CLOCK_STEP,
        POWER_CUT,
        SLOW_DISK,
        FULL_DISK;

        /** Whether it strikes the nodes' disks, which must be such as can be struck then. */
        boolean needsDisks() {
            return switch (this) {
                case KILL, PAUSE, PARTITION, CLOCK_STEP -> false;
                case POWER_CUT, SLOW_DISK, FULL_DISK -> true;
            };
        }
    }

    Kind kind();

    /** A process ends without notice, and starts again later. */
    record Kill(int node, int millisDown) implements Fault {
        @Override
        public Kind kind() {
            return Kind.KILL;
        }
    }

    /** A process stands still, and goes on as if nothing had been. */
    record Pause(int node, int millis) implements Fault {
        @Override
        public Kind kind() {
            return Kind.PAUSE;
        }
    }

    /**
     * Ways between members are cut.
     *
     * @param shape in words
     */
    record Partition(String shape, Set<Wires.Way> ways, int millis) implements Fault {
        public Partition {
            ways = Set.copyOf(ways);
        }

        @Override
        public Kind kind() {
            return Kind.PARTITION;
        }
    }

    /** The wall clock of a node jumps, and some time later back. */
    record ClockStep(int node, int stepMillis, int millis) implements Fault {
        @Override
        public Kind kind() {
            return Kind.CLOCK_STEP;
        }
    }

    /**
     * A node's disk takes its time for what is forced.
     *
     * @param latencyMillis at most, of each force
     */
    record SlowDisk(int node, int latencyMillis, int millis) implements Fault {
        @Override
        public Kind kind() {
            return Kind.SLOW_DISK;
        }
    }

    /** A node's disk has no space. */
    record FullDisk(int node, Device.Fullness fullness, int millis) implements Fault {
        @Override
        public Kind kind() {
            return Kind.FULL_DISK;
        }
    }

    /** All nodes lose power at once, and with it what was not forced to their disks. */
    record PowerCut(int millisDown) implements Fault {
        @Override
        public Kind kind() {
            return Kind.POWER_CUT;
        }
    }
}
