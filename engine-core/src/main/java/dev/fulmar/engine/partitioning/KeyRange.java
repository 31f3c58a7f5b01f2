package dev.fulmar.engine.partitioning;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Comparator;
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

    /** Those of the ranges that are in the space. */
    static List<KeyRange> in(KeySpace space, List<KeyRange> ranges) {
        return ranges.stream().filter(range -> range.space == space).toList();
    }

    /**
     * The positions that are in one of these and in one of those, in the order of these. The time is that of sorting
     * both, whatever the number of ranges.
     *
     * @param those which do not overlap
     */
    public static List<KeyRange> common(List<KeyRange> these, List<KeyRange> those) {
        List<KeyRange> integers = inOrder(KeySpace.INTEGER, those);
        List<KeyRange> hashes = inOrder(KeySpace.HASH, those);
        List<KeyRange> common = new ArrayList<>();
        for (KeyRange one : these) {
            List<KeyRange> others = one.space == KeySpace.INTEGER ? integers : hashes;
            for (int i = firstUpTo(one.first, others); i < others.size() && others.get(i).first <= one.last; i++) {
                KeyRange other = others.get(i);
                common.add(new KeyRange(one.space, Math.max(one.first, other.first), Math.min(one.last, other.last)));
            }
        }
        return List.copyOf(common);
    }

    /**
     * The positions that are in one of these and in none of those, in the order of these. The time is that of sorting
     * both, as with {@link #common}.
     *
     * @param those which do not overlap
     */
    public static List<KeyRange> without(List<KeyRange> these, List<KeyRange> those) {
        List<KeyRange> integers = inOrder(KeySpace.INTEGER, those);
        List<KeyRange> hashes = inOrder(KeySpace.HASH, those);
        List<KeyRange> rest = new ArrayList<>();
        for (KeyRange one : these) {
            List<KeyRange> others = one.space == KeySpace.INTEGER ? integers : hashes;
            long first = one.first;
            boolean isOver = false;
            for (int i = firstUpTo(first, others); !isOver && i < others.size(); i++) {
                KeyRange other = others.get(i);
                if (other.first > one.last) {
                    break;
                }
                if (other.first > first) {
                    rest.add(new KeyRange(one.space, first, other.first - 1));
                }
                isOver = other.last >= one.last;
                first = isOver ? first : other.last + 1;
            }
            if (!isOver) {
                rest.add(new KeyRange(one.space, first, one.last));
            }
        }
        return List.copyOf(rest);
    }

    private static List<KeyRange> inOrder(KeySpace space, List<KeyRange> ranges) {
        List<KeyRange> some = new ArrayList<>(in(space, ranges));
        some.sort(Comparator.comparingLong(KeyRange::first));
        return some;
    }

    /** The first of the ranges that ends at the position or after it. */
    private static int firstUpTo(long position, List<KeyRange> inOrder) {
        int low = 0;
        int high = inOrder.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (inOrder.get(middle).last < position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Whether the position is in the range. */
    public boolean contains(KeySpace of, long position) {
        return of == space && position >= first && position <= last;
    }
}
