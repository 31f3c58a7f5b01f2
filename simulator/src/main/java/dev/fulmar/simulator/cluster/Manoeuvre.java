package dev.fulmar.simulator.cluster;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Planned faults, one after the other, each when the cluster has come to a certain point. So a fault can be put between
 * two steps of the protocol on purpose. It is about three nodes. If it begins at a time, these are the primary of a
 * partition, another of its copies in sync, and a third node; if it begins with a message, the one that sends it, the
 * one that is to get it, and a third.
 *
 * @param shape what kind it is, for people
 * @param isOfCatalog whether it is about the partition of the catalog, where there is a choice
 */
record Manoeuvre(String shape, boolean isOfCatalog, List<Step> steps) {
    /** Instead of the number of a role. */
    static final int ANY = -1;

    static final int PRIMARY = 0;
    static final int BACKUP = 1;
    static final int THIRD = 2;
    static final int ROLES = 3;

    Manoeuvre {
        steps = List.copyOf(steps);
    }

    /**
     * A step of a manoeuvre: a cue, and the deeds at it.
     *
     * @param mostNanos after which it is done although the cluster has not come to the point; a manoeuvre whose first
     *     message does not come in this time does not begin
     */
    record Step(Cue cue, long mostNanos, List<Deed> deeds) {
        Step {
            deeds = List.copyOf(deeds);
        }
    }

    /** The point to which the cluster comes. */
    sealed interface Cue {
        /**
         * A message is sent between nodes.
         *
         * @param moment its kind; null for any but heartbeats
         * @param from role of the sender, or {@link #ANY}
         * @param to role of the receiver, or {@link #ANY}
         * @param passing messages that pass by before it
         */
        record Sent(@Nullable Moment moment, int from, int to, int passing) implements Cue {}

        /** The record of the partition names the role as primary of a new term. */
        record Leads(int role) implements Cue {}

        /** So much time passes, from none up to this. */
        record Passes(long mostNanos) implements Cue {}

        /** A process of the role reaches a rare path of the code, or any does. */
        record Reaches(int role) implements Cue {}
    }

    /**
     * Deed that is done to nodes.
     *
     * @param role whom it concerns
     * @param other second role, or {@link #ANY} for everybody else
     * @param nanos how long, where that matters
     */
    record Deed(Kind kind, int role, int other, long nanos) {
        /** Kinds of deeds. Whatever is not undone before is undone at the end of the manoeuvre. */
        enum Kind {
            /** The message of the cue is lost, and its session with it. */
            LOSE,
            /** Messages from the role to the other wait on their way. */
            HOLD,
            /** Messages that wait between the two go on, both ways. */
            LET_GO,
            /** The two do not hear each other. */
            CUT,
            /** The two hear each other again. */
            JOIN,
            /** The role hears only the other, or no node. */
            SEPARATE,
            /** Their session ends. */
            BREAK,
            KILL,
            CRASH,
            /** The role's process ends, and begins again with an empty disk. */
            WIPE,
            PAUSE,
            /** The role does not reach the store. */
            CUT_STORE,
            JOIN_STORE,
            EXPIRE,
            /** The store often does not answer. */
            BLIND,
            SLOW_DISK,
            /** The role takes a checkpoint of what it has, as it may at any moment. */
            CHECKPOINT,
            /** Messages travel for long. */
            DELAY,
            /** The role's clock runs too fast or too slow. */
            DRIFT,
            /** Clients want nothing new. */
            HUSH,
            /** Clients turn to the role with what they want next. */
            GATHER,
            /** All lasting deeds are undone. */
            MEND
        }
    }
}
