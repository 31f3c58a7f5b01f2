package dev.fulmar.simulator.reconfiguration;

import java.util.Locale;

/**
 * A fault that strikes a reconfiguration.
 *
 * @param moment when it strikes, as a part of the time that the reconfiguration is likely to take
 * @param millisDown time until the processes that ended are started again
 */
record Strike(Kind kind, double moment, int millisDown) {
    /** Kinds of faults. */
    enum Kind {
        /** The node that makes the changes of the catalog is killed. */
        LEADER,
        /** The node that leads a partition that keys leave is killed. */
        SOURCE,
        /** The node that leads a partition that keys reach is killed. */
        DESTINATION,
        /** All nodes lose power at once, and their disks what was not forced. */
        POWER_CUT,
        /** The ZooKeeper is killed. */
        ZOOKEEPER;

        /** Whether the nodes need disks that can lose power. */
        boolean needsDisks() {
            return this == POWER_CUT;
        }

        /** As the command line names it. */
        String part() {
            return text().replace(' ', '-');
        }

        /** As reports name it. */
        String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }
}
