package dev.fulmar.simulator.cluster;

/** Kinds of faults. */
public enum FaultKind {
    /** A process ends; what it had written is in its machine's memory. */
    KILL,
    /** A machine loses power, and what was not forced. */
    CRASH,
    /** All machines lose power at once. */
    POWER_CUT,
    /** A machine is replaced by an empty one. */
    DISK_LOST,
    /** Bits of a machine's files flip while it is down. */
    BIT_FLIPS,
    /** A process stands still, as when it is stopped or its memory is cleaned up. */
    PAUSE,
    /** A process's threads wait for a processor often. */
    STUTTER,
    /** A node and all others do not hear each other, and it does not reach the store. */
    ISOLATION,
    /** A node and the others do not hear each other, and all reach the store. */
    SPLIT,
    /** A node is not heard by another one. */
    ONE_WAY,
    /** Each node is cut off the next one. */
    RING,
    /** A session between two nodes ends. */
    BROKEN_LINK,
    /** Messages are lost, and their sessions with them. */
    LOSS,
    /** Messages travel for long. */
    DELAY,
    /** A node's session with the store is at its end. */
    STORE_EXPIRY,
    /** A node does not reach the store. */
    STORE_CUT,
    /** The store answers late, with what is old, or not at all. */
    STORE_FAULTS,
    /** A disk is slow. */
    SLOW_DISK,
    /** A disk is full. */
    FULL_DISK,
    /** A disk fails to force what was written. */
    FAILING_DISK,
    /** A wall clock jumps. */
    CLOCK_JUMP,
    /** A clock runs too fast or too slow. */
    CLOCK_DRIFT,
    /** Clients do not reach a node. */
    CLIENTS_CUT,
    /** A process ends, and when it begins again the store often does not answer for a while. */
    BLIND_START,
    /**
     * Two nodes do not hear each other. One of them and a third, which hears both, do not reach the store: they know
     * old primaries only.
     */
    OLD_VIEW,
    /** A process ends just when a message of a kind is sent or about to arrive. */
    STRIKE_KILL(true),
    /** A process stands still just then. */
    STRIKE_PAUSE(true),
    /** Just that message is lost, and its session with it. */
    STRIKE_LOSS(true),
    /** From that message on two nodes do not hear each other. */
    STRIKE_CUT(true),
    /** From then on a node is cut off all but the other end of that message; it may end soon. */
    STRIKE_SEVER(true),
    /** Once the message has arrived, a node is cut off all others, but not the store. */
    STRIKE_SPLIT(true);

    private final boolean isAmbush;

    FaultKind() {
        this(false);
    }

    FaultKind(boolean isAmbush) {
        this.isAmbush = isAmbush;
    }

    /** Whether it waits for its {@link Moment}. */
    boolean isAmbush() {
        return isAmbush;
    }
}
