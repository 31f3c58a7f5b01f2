package dev.fulmar.engine.execution;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Size of one part of a result. A part is full with the row that reaches either limit.
 *
 * @param rows at least 1
 * @param bytes of its block, at least 1; the last row may go beyond
 */
public record PartSize(int rows, int bytes) {
    public PartSize {
        if (rows < 1 || bytes < 1) {
            throw new FulmarException(
                    ErrorCode.WRONG_PARAMETERS,
                    "a part of a result has at least one row and one byte, not " + rows + " and " + bytes);
        }
    }

    /** Whether a part of so much is full. */
    public boolean isReached(int rowCount, int byteCount) {
        return rowCount >= rows || (rowCount > 0 && byteCount >= bytes);
    }
}
