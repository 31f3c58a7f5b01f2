package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.transaction.FragmentDispatch.Outcome;

/** An answer that the fiber of a multi-partition transaction waits for. */
sealed interface AttemptAnswer {
    /** The batch is done. */
    record Done(Outcome outcome) implements AttemptAnswer {}

    /** The attempt is undone. */
    record Over(AttemptEnded signal) implements AttemptAnswer {}

    /** Another attempt begins. */
    record Again() implements AttemptAnswer {}

    /** The transaction has its outcome. */
    record End() implements AttemptAnswer {}
}
