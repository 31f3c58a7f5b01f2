package dev.fulmar.coordinator.change;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.LinkedHashSet;
import java.util.function.Supplier;

/**
 * Memory of the joint changes that must not be made any more, for a client was told so. The newest are kept: a change
 * is asked for before its question, and is on its way for a moment. For the thread that has its turn in the queue.
 */
final class JointChanges {
    private static final int MOST_REFUSED = 10_000;

    private final LinkedHashSet<ChangeHandle> refused = new LinkedHashSet<>();

    /** The edit, unless it was refused; one that cannot be made any more has been overtaken by another change. */
    CatalogEdit edit(ChangeHandle handle, Supplier<CatalogEdit> made) {
        if (refused.contains(handle)) {
            throw neverMade();
        }
        try {
            return made.get();
        } catch (FulmarException failure) {
            throw failure.code().category() == ErrorCode.Category.USER ? overtaken(failure) : failure;
        }
    }

    /** Refuses the change from now on; it was not made so far. */
    FulmarException refuse(ChangeHandle handle) {
        refused.add(handle);
        if (refused.size() > MOST_REFUSED) {
            refused.removeFirst();
        }
        return neverMade();
    }

    private static FulmarException neverMade() {
        return new FulmarException(
                ErrorCode.SERIALIZATION_FAILURE,
                "the transaction was not committed: its session ended before; run it again from BEGIN on");
    }

    private static FulmarException overtaken(FulmarException failure) {
        return new FulmarException(
                ErrorCode.SERIALIZATION_FAILURE,
                "tables were changed meanwhile; run the transaction again from BEGIN on (" + failure.getMessage()
                        + ")");
    }
}
