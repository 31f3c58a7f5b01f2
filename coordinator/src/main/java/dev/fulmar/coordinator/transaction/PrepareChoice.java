package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;

/**
 * The state of a multi-partition transaction when it asks for votes, which decides how they are asked for.
 *
 * @param isUndone it leaves no trace, and its answer is told once what that tells of may be known
 * @param wished what its control code wants
 * @param isAlone its only participant's log has the decision too, in the term of its beginning. In a later term its
 *     request may have been executed again: a decision is refused then, and must not be passed by
 * @param hasChanged something somewhere
 * @param isHeld a strict reader that does not see what was read holds back one of several votes. A partition that was
 *     let go before that vote has left could tell of what comes next there, before the reader has come to it
 */
record PrepareChoice(boolean isUndone, PrepareMode wished, boolean isAlone, boolean hasChanged, boolean isHeld) {
    /** A single participant commits with its vote, and where nothing was changed there is nothing to decide. */
    PrepareMode mode() {
        boolean isOrdinary = wished == PrepareMode.SPECULATE;
        if (isUndone) {
            return isHeld && isOrdinary ? PrepareMode.SPECULATE : PrepareMode.UNDO;
        }
        if (!isOrdinary) {
            return wished;
        }
        if (isAlone) {
            return PrepareMode.COMMIT;
        }
        return hasChanged || isHeld ? PrepareMode.SPECULATE : PrepareMode.RELEASE;
    }
}
