package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.operator.PointRead;
import dev.fulmar.foundation.data.ResultBlockWriter;
import org.jspecify.annotations.Nullable;

/** The code of a fragment on one partition. A failure leaves nothing of it behind. */
interface FragmentCode {
    /**
     * Runs the fragment.
     *
     * @param frame with parameters and time set
     * @param rows takes the rows of a query
     * @param alone whether this partition is the only one that the statement runs on
     * @return rows that the query yielded or the write changed
     */
    long run(Frame frame, ResultBlockWriter rows, boolean alone);

    /** The memory that the fragment is going to read, if it begins with a look-up by unique key; else null. */
    default @Nullable PointRead pointRead() {
        return null;
    }

    /** The frame that the code was made for. */
    Frame frame();
}
