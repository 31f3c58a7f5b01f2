package dev.fulmar.simulator.cluster;

import java.util.Arrays;

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
    CHANGE_REPLACED,
    /** A node of a move ends, stands still or loses another one at a step of the move. */
    MOVE_STRUCK,
    /** The primary of a move's source or destination is deposed without its knowledge, and goes on. */
    MOVE_DEPOSED,
    /** Messages of a move come so late that calls which wait for its hand-off go on. */
    MOVE_LATE,
    /** The primary of a source ends with commits that its copies do not have. */
    MOVE_AHEAD,
    /** A copy of a source or a destination is built anew in the middle of a move, and then leads. */
    MOVE_REBUILT;

    /** Number of shapes that the seeds of a campaign go round. */
    static int count(Theme theme) {
        return plain() + own(theme).length;
    }

    private static int plain() {
        return CHANGE_ALONE.ordinal();
    }

    /** Those of the theme alone. */
    private static Shape[] own(Theme theme) {
        return switch (theme) {
            case TRANSACTIONS -> new Shape[0];
            case CATALOG -> Arrays.copyOfRange(values(), plain(), MOVE_STRUCK.ordinal());
            case MOVES -> Arrays.copyOfRange(values(), MOVE_STRUCK.ordinal(), values().length);
        };
    }

    /**
     * The shape of the steered seed with the number, counted from 0: few seeds try all. Where the theme has shapes of
     * its own every other one is of these.
     */
    static Shape numbered(long number, Theme theme) {
        Shape[] own = own(theme);
        if (own.length == 0) {
            return values()[Math.floorMod(number, plain())];
        }
        long pair = Math.floorDiv(number, 2);
        return Math.floorMod(number, 2) == 0
                ? own[Math.floorMod(pair, own.length)]
                : values()[Math.floorMod(pair, plain())];
    }

    /** Whether the steered seed with the number tries two shapes at the same time: those of every third round do. */
    static boolean isPaired(long number, Theme theme) {
        return Math.floorMod(Math.floorDiv(number, count(theme)), 3) == 2;
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
