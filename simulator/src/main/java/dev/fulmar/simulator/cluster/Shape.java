package dev.fulmar.simulator.cluster;

/**
 * Templates by which {@link ManoeuvrePlan} draws {@link Manoeuvre}s, each a sequence of faults that such protocols
 * often handle wrongly. {@link #FREE} is no sequence: each of its steps is drawn.
 */
enum Shape {
    /** The primary changes, without its knowledge or with it, and changes back while something is under way to it. */
    BACK_AND_FORTH,
    /** Two nodes know of an old primary only; the new one loses one of them in the middle of a transaction. */
    OLD_VIEW,
    /** A message reaches one of several nodes, and its sender ends a little later. */
    HALF_TOLD,
    /**
     * The primary has something in its log alone, ends, leads again, tells it, and is replaced by a copy without it.
     */
    ALONE,
    /** A process ends and begins twice in short time, while others do something for it. */
    YOUNG,
    /** A process begins while the store hardly answers, and nothing else happens then. */
    BLIND,
    /** Terms that no node follows, one after the other, and then one of another node. */
    UNFOLLOWED,
    /** One of several copies stays behind, and then leads or is read. */
    LAGGING,
    /** A primary leads with less than a copy in sync has, which is to be replaced while it counts. */
    DISPLACED,
    /** Each step waits until a process reaches a rare path of the code. */
    RARE,
    FREE,
    /** A reader of several partitions has reached some of them when it loses one that it has read. */
    READ,
    /** The power of a node fails, and it comes back soon without some of what it had confirmed. */
    LESS,
    /** Processes end around checkpoints that they take in the middle of transactions. */
    CHECKPOINTED,
    /** A copy is built anew, and nodes end or lose each other when it is asked for, sent, or has just joined. */
    BUILT,
    /** A copy is left so far behind that it is built anew in the same process, beside checkpoints. */
    REBUILT,
    /** The catalog's primary has a change in its log alone, and is deposed. */
    CHANGE_ALONE,
    /** Of two other copies of the catalog one has a change, and the other one leads. */
    CHANGE_HALF_KNOWN,
    /** A change that is written down counts late. */
    CHANGE_LATE,
    /** A partition changes its primary while the catalog is changed. */
    CHANGE_UNLED,
    /** Nodes end between the steps of a change of the catalog. */
    CHANGE_RESTARTS,
    /** A node that is ready for a change misses that its place is taken by another one. */
    CHANGE_REPLACED;

    /** Number of shapes that the seeds of a campaign go round. */
    static int count(boolean changesCatalog) {
        return changesCatalog ? values().length : CHANGE_ALONE.ordinal();
    }

    /**
     * The shape of the steered seed with the number, counted from 0: few seeds try all. Where the catalog is changed
     * every other one is about such a change.
     */
    static Shape numbered(long number, boolean changesCatalog) {
        Shape[] all = values();
        int plain = CHANGE_ALONE.ordinal();
        if (!changesCatalog) {
            return all[Math.floorMod(number, plain)];
        }
        long pair = Math.floorDiv(number, 2);
        return Math.floorMod(number, 2) == 0
                ? all[plain + Math.floorMod(pair, all.length - plain)]
                : all[Math.floorMod(pair, plain)];
    }

    /** Whether the steered seed with the number tries two shapes at the same time: those of every third round do. */
    static boolean isPaired(long number, boolean changesCatalog) {
        return Math.floorMod(Math.floorDiv(number, count(changesCatalog)), 3) == 2;
    }

    /** Whether copies are left behind for good, so that little may be kept for them. */
    boolean leavesBehind() {
        return this == REBUILT;
    }

    /** Whether it is about what copies confirm before it is durable. */
    boolean losesWhatIsConfirmed() {
        return this == LESS;
    }

    /** Whether it is about what is on disks. */
    boolean needsDisks() {
        return this == LESS || this == CHECKPOINTED || this == REBUILT || this == UNFOLLOWED;
    }
}
