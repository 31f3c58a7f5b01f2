package dev.fulmar.engine.partitioning;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The partition plan that a reconfiguration is to reach, with its state and its pace. A part of the catalog, so all
 * nodes know it, and it outlives each of them. Immutable.
 *
 * <table>
 * <caption>States</caption>
 * <tr><th>state</th><th>next</th><th>when</th></tr>
 * <tr><td>RUNNING</td><td>PAUSED</td><td>an operator pauses it, or a primary finds no room for rows</td></tr>
 * <tr><td>PAUSED</td><td>RUNNING</td><td>an operator resumes it</td></tr>
 * <tr><td>RUNNING, PAUSED</td><td>CANCELLED</td><td>an operator cancels it</td></tr>
 * <tr><td>RUNNING</td><td>DONE</td><td>the catalog's plan has become the target</td></tr>
 * </table>
 *
 * @param number of the reconfiguration, drawn at random
 * @param pace at which rows are copied
 * @param message why it waits, or nothing
 */
public record PlanTarget(long number, State state, PartitionPlan plan, MovePace pace, String message) {
    /** States of a reconfiguration. */
    public enum State {
        RUNNING,
        PAUSED,
        DONE,
        CANCELLED;

        /** Whether another reconfiguration may begin. */
        public boolean isEnd() {
            return this == DONE || this == CANCELLED;
        }
    }

    private static final int MOST_MESSAGE_CHARACTERS = 1_000;

    public PlanTarget {
        if (message.length() > MOST_MESSAGE_CHARACTERS) {
            message = message.substring(0, MOST_MESSAGE_CHARACTERS);
        }
    }

    /**
     * The catalog's next target by the change.
     *
     * @param before the target so far
     * @param present the catalog's plan
     * @throws FulmarException {@link ErrorCode#SERVER_BUSY} while another reconfiguration is under way,
     *     {@link ErrorCode#TRANSACTION_RESTART} for a target that was made from another plan than the present one, and
     *     {@link ErrorCode#INVALID_CONFIGURATION} for a state or a plan that cannot follow
     */
    public static PlanTarget next(@Nullable PlanTarget before, TargetChange change, PartitionPlan present) {
        return switch (change) {
            case TargetChange.Begin(PlanTarget target, OptionalLong base) -> target.begun(before, base, present);
            case TargetChange.Become become -> {
                if (before == null || before.number != become.number()) {
                    throw refused("that reconfiguration is not the newest one any more; see its status");
                }
                yield before.become(become.state(), become.message()).reached(present);
            }
        };
    }

    private PlanTarget begun(@Nullable PlanTarget before, OptionalLong base, PartitionPlan present) {
        if (before != null && !before.state.isEnd()) {
            throw new FulmarException(
                    ErrorCode.SERVER_BUSY, "a reconfiguration is under way; wait for its end, or cancel it first");
        }
        if (plan.partitionCount() != present.partitionCount() || plan.spaceOfIntegers() != present.spaceOfIntegers()) {
            throw refused("the plan does not fit the database's partitions; nothing was changed");
        }
        if (base.isPresent() && base.getAsLong() != present.fingerprint()) {
            // Keys that have moved since would go back, and no one has asked for that.
            throw new FulmarException(
                    ErrorCode.TRANSACTION_RESTART,
                    "keys have moved since the plan was made from the one that counted then; nothing was changed,"
                            + " make the plan anew from the present one");
        }
        return reached(present);
    }

    private PlanTarget become(State next, String why) {
        boolean isAllowed = switch (next) {
            case RUNNING -> state == State.PAUSED;
            case PAUSED -> state == State.RUNNING;
            case CANCELLED -> !state.isEnd();
            case DONE -> false;
        };
        if (!isAllowed) {
            throw refused("the reconfiguration is " + state + ", so it cannot become " + next + "; see its status");
        }
        return in(next, why);
    }

    private PlanTarget in(State next, String why) {
        return new PlanTarget(number, next, plan, pace, why);
    }

    /** The same, and done if it runs and the plan is the one that was asked for. */
    public PlanTarget reached(PartitionPlan present) {
        return state == State.RUNNING && plan.hasSameOwners(present) ? in(State.DONE, "") : this;
    }

    private static FulmarException refused(String why) {
        return new FulmarException(ErrorCode.INVALID_CONFIGURATION, why);
    }
}
