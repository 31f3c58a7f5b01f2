package dev.fulmar.engine.partitioning;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Looks up the owner of a position, a partition or a bucket, in ordered ranges, and derives maps with other owners. The
 * ranges divide all longs, in signed order. Immutable.
 */
final class RangeMap {
    private static final int SHORT_LENGTH = 8;

    private final long[] starts;
    private final int[] owners;

    /** @param starts rising, the first is {@link Long#MIN_VALUE}; range i ends where the next begins */
    RangeMap(long[] starts, int[] owners) {
        Invariants.check(starts.length == owners.length && starts[0] == Long.MIN_VALUE, "ranges cover everything");
        for (int i = 1; i < starts.length; i++) {
            Invariants.check(starts[i - 1] < starts[i], "ranges are in order");
        }
        this.starts = starts.clone();
        this.owners = owners.clone();
    }

    /** Ranges from outside, which are checked. */
    static RangeMap of(KeyRanges ranges, int ownerCount) {
        int count = ranges.starts().size();
        if (count == 0 || count != ranges.owners().size() || ranges.starts().getFirst() != Long.MIN_VALUE) {
            throw refused("the ranges of a partition plan begin with the least number, and each has a partition");
        }
        long[] starts = new long[count];
        int[] owners = new int[count];
        for (int i = 0; i < count; i++) {
            starts[i] = ranges.starts().get(i);
            owners[i] = ranges.owners().get(i);
            if (i > 0 && starts[i] <= starts[i - 1]) {
                throw refused("the ranges of a partition plan rise, but " + starts[i] + " follows " + starts[i - 1]);
            }
            if (owners[i] < 0 || owners[i] >= ownerCount) {
                throw refused("a partition plan for " + ownerCount + " partitions gives the range from " + starts[i]
                        + " on to partition " + owners[i]);
            }
        }
        return new RangeMap(starts, owners);
    }

    private static FulmarException refused(String why) {
        return new FulmarException(ErrorCode.INVALID_CONFIGURATION, why);
    }

    static RangeMap single() {
        return new RangeMap(new long[] {Long.MIN_VALUE}, new int[] {0});
    }

    /** Equal ranges for the owners 0 to count - 1. */
    static RangeMap equal(int count) {
        long[] starts = new long[count];
        int[] owners = new int[count];
        for (int i = 0; i < count; i++) {
            starts[i] = Long.MIN_VALUE + fraction(i, count);
            owners[i] = i;
        }
        return new RangeMap(starts, owners);
    }

    /** The i-th of count parts of 2^64, as an unsigned number. */
    private static long fraction(int part, int count) {
        if (part == 0) {
            return 0;
        }
        // floor((part * 2^64) / count), by the remainder of the high digit.
        long high = Long.divideUnsigned(-1L, count);
        long rest = Long.remainderUnsigned(-1L, count) + 1;
        return part * high + part * rest / count;
    }

    int ownerOf(long position) {
        return owners[rangeOf(position)];
    }

    private int rangeOf(long position) {
        long[] from = starts;
        if (from.length <= SHORT_LENGTH) {
            int i = from.length - 1;
            while (i > 0 && from[i] > position) {
                i--;
            }
            return i;
        }
        int low = 0;
        int high = from.length;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (from[middle] <= position) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The same but for the positions from first to last, which the owner gets. */
    RangeMap assign(long first, long last, int owner) {
        return assignAll(List.of(new Range(first, last)), owner);
    }

    /** The same but for the positions of the ranges, which the owner gets. Takes one pass, however many ranges. */
    RangeMap assign(List<KeyRange> ranges, int owner) {
        return assignAll(
                ranges.stream()
                        .map(range -> new Range(range.first(), range.last()))
                        .toList(),
                owner);
    }

    private RangeMap assignAll(List<Range> ranges, int owner) {
        List<Range> inOrder = new ArrayList<>(ranges);
        inOrder.sort(Comparator.comparingLong(Range::first));
        Pieces pieces = new Pieces(starts.length + 2 * inOrder.size());
        int next = 0;
        long uncovered = Long.MIN_VALUE;
        for (Range range : inOrder) {
            if (range.last() < uncovered) {
                continue;
            }
            for (; next < starts.length && starts[next] < range.first(); next++) {
                pieces.add(starts[next], owners[next]);
            }
            pieces.add(range.first(), owner);
            while (next < starts.length && starts[next] <= range.last()) {
                next++;
            }
            if (range.last() == Long.MAX_VALUE) {
                break;
            }
            uncovered = range.last() + 1;
            pieces.add(uncovered, ownerOf(uncovered));
        }
        for (; next < starts.length; next++) {
            pieces.add(starts[next], owners[next]);
        }
        return pieces.toMap();
    }

    /** Ranges of a map that is being made: neighbours of one owner are one range. */
    private static final class Pieces {
        private final long[] starts;
        private final int[] owners;
        private int count;

        Pieces(int most) {
            starts = new long[most];
            owners = new int[most];
        }

        /** From the start on the owner has all; what later starts at or before it is replaced. */
        void add(long start, int owner) {
            while (count > 0 && starts[count - 1] >= start) {
                count--;
            }
            if (count == 0 || owners[count - 1] != owner) {
                starts[count] = start;
                owners[count++] = owner;
            }
        }

        RangeMap toMap() {
            return new RangeMap(Arrays.copyOf(starts, count), Arrays.copyOf(owners, count));
        }
    }

    /** The same, but what the owner has from the position on belongs to the other. */
    RangeMap cut(int owner, long position, int other) {
        return assignAll(
                rangesOf(owner).stream()
                        .filter(range -> range.last() >= position)
                        .map(range -> new Range(Math.max(range.first(), position), range.last()))
                        .toList(),
                other);
    }

    /** The same without an owner, whose ranges belong to those before or behind them; to another if it had all. */
    RangeMap without(int owner, int another) {
        Pieces pieces = new Pieces(starts.length);
        for (int i = 0; i < starts.length; i++) {
            if (owners[i] != owner) {
                pieces.add(pieces.count == 0 ? Long.MIN_VALUE : starts[i], owners[i]);
            }
        }
        if (pieces.count == 0) {
            pieces.add(Long.MIN_VALUE, another);
        }
        return pieces.toMap();
    }

    /** Whether each position has the same owner in both maps. */
    boolean hasSameOwners(RangeMap other) {
        int one = 0;
        int two = 0;
        while (owners[one] == other.owners[two]) {
            long last = lastOf(one);
            long otherLast = other.lastOf(two);
            if (last == Long.MAX_VALUE && otherLast == Long.MAX_VALUE) {
                return true;
            }
            one += last <= otherLast ? 1 : 0;
            two += otherLast <= last ? 1 : 0;
        }
        return false;
    }

    private long lastOf(int range) {
        return range + 1 == starts.length ? Long.MAX_VALUE : starts[range + 1] - 1;
    }

    /** The same, with one range in the place of neighbours that have one owner. */
    RangeMap merged() {
        Pieces pieces = new Pieces(starts.length);
        for (int i = 0; i < starts.length; i++) {
            pieces.add(starts[i], owners[i]);
        }
        return pieces.toMap();
    }

    KeyRanges toKeyRanges() {
        return new KeyRanges(
                Arrays.stream(starts).boxed().toList(),
                Arrays.stream(owners).boxed().toList());
    }

    int rangeCount() {
        return starts.length;
    }

    /** A range, both ends included. */
    private record Range(long first, long last) {
        boolean isSinglePosition() {
            return first == last;
        }

        long middle() {
            return first + ((last - first) >>> 1);
        }
    }

    /**
     * Divides what one owner has into at most so many pieces, numbered in order; positions of other owners map to any
     * piece.
     */
    RangeMap divide(int owner, int pieces) {
        List<Range> ranges = rangesOf(owner);
        if (ranges.isEmpty()) {
            return single();
        }
        while (ranges.size() < pieces) {
            int widest = widest(ranges);
            Range range = ranges.get(widest);
            if (range.isSinglePosition()) {
                break;
            }
            ranges.set(widest, new Range(range.first(), range.middle()));
            ranges.add(widest + 1, new Range(range.middle() + 1, range.last()));
        }
        int count = ranges.size();
        long[] pieceStarts = new long[count];
        int[] pieceNumbers = new int[count];
        for (int i = 0; i < count; i++) {
            pieceStarts[i] = i == 0 ? Long.MIN_VALUE : ranges.get(i).first();
            pieceNumbers[i] = (int) ((long) i * Math.min(pieces, count) / count);
        }
        return new RangeMap(pieceStarts, pieceNumbers);
    }

    /** The owner's ranges, as those of the space. */
    List<KeyRange> rangesOf(int owner, KeySpace space) {
        return rangesOf(owner).stream()
                .map(range -> new KeyRange(space, range.first(), range.last()))
                .toList();
    }

    /** Shows all ranges, as those of the space. */
    void visit(KeySpace space, RangeVisitor visitor) {
        visit(new KeyRange(space, Long.MIN_VALUE, Long.MAX_VALUE), visitor);
    }

    /** Shows what each owner has of the range, in the order of positions. */
    void visit(KeyRange within, RangeVisitor visitor) {
        for (int i = rangeOf(within.first()); i < starts.length && starts[i] <= within.last(); i++) {
            long first = Math.max(starts[i], within.first());
            visitor.next(owners[i], new KeyRange(within.space(), first, Math.min(lastOf(i), within.last())));
        }
    }

    private List<Range> rangesOf(int owner) {
        List<Range> ranges = new ArrayList<>();
        for (int i = 0; i < starts.length; i++) {
            if (owners[i] == owner) {
                ranges.add(new Range(starts[i], lastOf(i)));
            }
        }
        return ranges;
    }

    private static int widest(List<Range> ranges) {
        int widest = 0;
        for (int i = 1; i < ranges.size(); i++) {
            long width = ranges.get(i).last() - ranges.get(i).first();
            if (Long.compareUnsigned(
                            width,
                            ranges.get(widest).last() - ranges.get(widest).first())
                    > 0) {
                widest = i;
            }
        }
        return widest;
    }

    /** The owner of all, -1 if there are several. */
    int onlyOwner() {
        for (int owner : owners) {
            if (owner != owners[0]) {
                return -1;
            }
        }
        return owners[0];
    }

    /** Highest owner number plus one. */
    int ownerCount() {
        int highest = 0;
        for (int owner : owners) {
            highest = Math.max(highest, owner);
        }
        return highest + 1;
    }

    String describe(String what) {
        StringBuilder text = new StringBuilder(what);
        for (int i = 0; i < starts.length; i++) {
            text.append(i == 0 ? " .." : ", " + starts[i] + "..")
                    .append(" -> P")
                    .append(owners[i]);
        }
        return text.toString();
    }
}
