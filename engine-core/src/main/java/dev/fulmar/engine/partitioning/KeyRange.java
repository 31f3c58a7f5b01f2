package dev.fulmar.engine.partitioning;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;

/**
 * A range of positions of partitioning keys, both ends included.
 *
 * @param first the least position; of hashes with {@link PartitionPlan#UNSIGNED_ORDER}
 */
public record KeyRange(KeySpace space, long first, long last) {
    /** @throws FulmarException {@link ErrorCode#INVALID_CONFIGURATION} if it ends before it begins */
    public KeyRange {
        if (last < first) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a range of keys ends at " + last + ", before it begins at " + first);
        }
    }

    /** All positions of the space from the first on. */
    public static KeyRange from(KeySpace space, long first) {
        return new KeyRange(space, first, Long.MAX_VALUE);
    }

    /** The positions that are in one of these and in one of those. */
    public static List<KeyRange> common(List<KeyRange> these, List<KeyRange> those) {
        List<KeyRange> common = new ArrayList<>();
        for (KeyRange one : these) {
            for (KeyRange other : those) {
                long first = Math.max(one.first, other.first);
                long last = Math.min(one.last, other.last);
                if (one.space == other.space && first <= last) {
                    common.add(new KeyRange(one.space, first, last));
                }
            }
        }
        return List.copyOf(common);
    }

    /** Whether the position is in the range. */
    public boolean contains(KeySpace of, long position) {
        return of == space && position >= first && position <= last;
    }
}
