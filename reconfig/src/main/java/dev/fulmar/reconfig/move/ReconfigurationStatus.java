package dev.fulmar.reconfig.move;

import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.reconfig.peer.MoveFigures;
import org.jspecify.annotations.Nullable;

/**
 * State of the newest reconfiguration of a database.
 *
 * @param state of it
 * @param rangesLeft ranges that still change their partition
 * @param moved what nodes have moved, so far as they have told; a node that restarts forgets its part
 * @param message why it waits or has ended, or nothing
 */
public record ReconfigurationStatus(State state, int rangesLeft, MoveFigures moved, String message) {
    /** States of a reconfiguration. */
    public enum State {
        /** There has been none. */
        NONE,
        RUNNING,
        /** It waits for a resume; the buckets that moved are at their sources. */
        PAUSED,
        /** The plan is the one that was asked for. */
        DONE,
        /** It ended by a cancel; buckets that were handed over stay where they are. */
        CANCELLED;

        static State of(@Nullable PlanTarget target) {
            return target == null
                    ? NONE
                    : switch (target.state()) {
                        case RUNNING -> RUNNING;
                        case PAUSED -> PAUSED;
                        case DONE -> DONE;
                        case CANCELLED -> CANCELLED;
                    };
        }
    }
}
