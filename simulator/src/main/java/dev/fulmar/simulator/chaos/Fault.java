package dev.fulmar.simulator.chaos;

import dev.fulmar.benchmarks.cluster.Wires;
import java.util.Set;

/** Something that happens to a cluster. Nodes have the numbers from 1 on. */
sealed interface Fault {
    /** What faults are counted by. */
    enum Kind {
        KILL,
        PAUSE,
        PARTITION,
        POWER_CUT
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

    /** All nodes lose power at once, and with it what was not forced to their disks. */
    record PowerCut(int millisDown) implements Fault {
        @Override
        public Kind kind() {
            return Kind.POWER_CUT;
        }
    }
}
