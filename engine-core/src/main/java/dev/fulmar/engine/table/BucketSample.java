package dev.fulmar.engine.table;

import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.row.RowLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Positions of some rows of a bucket, from all its tables. A row that was drawn stands for as many as lie between two
 * drawn slots of its table.
 */
final class BucketSample {
    private static final int SLOTS_PER_TABLE = 1_024;

    /** @param rows for how many rows it stands */
    private record Drawn(long position, long rows) {}

    private final KeySpace spaceOfIntegers;
    private final List<Drawn> integers = new ArrayList<>();
    private final List<Drawn> hashes = new ArrayList<>();

    BucketSample(KeySpace spaceOfIntegers) {
        this.spaceOfIntegers = spaceOfIntegers;
    }

    /** Draws rows of the table's bucket; looks at a bounded number of slots. */
    void add(TableStore store, int number) {
        Bucket bucket = store.bucket(number);
        SlotStore slots = bucket.slots();
        RowOwner owner = new RowOwner(store.definition(), store.layout());
        List<Drawn> drawn = owner.spaceOf(spaceOfIntegers) == KeySpace.HASH ? hashes : integers;
        long all = 0;
        for (int page = 0; page < slots.scannedPages(); page++) {
            all += slots.scannedSlots(page);
        }
        long step = Math.max(1, all / SLOTS_PER_TABLE);
        long place = 0;
        for (int page = 0; page < slots.scannedPages(); page++) {
            for (; place < slots.scannedSlots(page); place += step) {
                long slot = slots.pageAddress(page) + place * bucket.slotBytes();
                if (RowLayout.isVisible(slot)) {
                    drawn.add(new Drawn(owner.positionOf(slot, spaceOfIntegers), step));
                }
            }
            place -= slots.scannedSlots(page);
        }
    }

    /** From about the middle of the rows on, in the space that has most of them; empty if all have one position. */
    Optional<KeyRange> upperHalf() {
        KeySpace space = rows(integers) >= rows(hashes) ? KeySpace.INTEGER : KeySpace.HASH;
        List<Drawn> drawn = new ArrayList<>(space == KeySpace.INTEGER ? integers : hashes);
        drawn.sort(Comparator.comparingLong(Drawn::position));
        long half = rows(drawn) / 2;
        long below = 0;
        for (Drawn one : drawn) {
            if (below >= half && one.position > drawn.getFirst().position) {
                return Optional.of(KeyRange.from(space, one.position));
            }
            below += one.rows;
        }
        return Optional.empty();
    }

    /**
     * A part of the ranges with at most so many rows, about. It is empty if all their positions have more rows, or
     * there are none.
     */
    Optional<KeyRange> few(long mostRows, List<KeyRange> ranges) {
        KeySpace space = rows(integers) >= rows(hashes) ? KeySpace.INTEGER : KeySpace.HASH;
        List<Drawn> drawn = (space == KeySpace.INTEGER ? integers : hashes)
                .stream()
                        .filter(one -> ranges.stream().anyMatch(range -> range.contains(space, one.position)))
                        .sorted(Comparator.comparingLong(Drawn::position))
                        .toList();
        for (int i = drawn.size() / 2; i < drawn.size(); i++) {
            KeyRange few = fewFrom(drawn, i, mostRows, space);
            if (few != null) {
                return Optional.of(KeyRange.common(ranges, List.of(few)).getFirst());
            }
        }
        return Optional.empty();
    }

    private static @Nullable KeyRange fewFrom(List<Drawn> drawn, int begin, long mostRows, KeySpace space) {
        Drawn one = drawn.get(begin);
        if (begin > 0 && drawn.get(begin - 1).position == one.position) {
            return null; // a position has all its rows in the range, or none
        }
        long next = begin + 1 < drawn.size() ? drawn.get(begin + 1).position : one.position;
        if (one.rows > mostRows) {
            long some = (long) ((double) (next - one.position) * mostRows / one.rows);
            return some > 0 ? new KeyRange(space, one.position + 1, one.position + some) : null;
        }
        long rows = 0;
        int end = begin;
        while (end < drawn.size() && rows + drawn.get(end).rows <= mostRows) {
            rows += drawn.get(end++).rows;
        }
        long last = end == drawn.size() ? drawn.getLast().position : drawn.get(end).position - 1;
        return last >= one.position ? new KeyRange(space, one.position, last) : null;
    }

    /** All rows, about. */
    long rows() {
        return rows(integers) + rows(hashes);
    }

    /** Rows with keys of the ranges, about. */
    long rowsIn(List<KeyRange> ranges) {
        return rowsIn(integers, KeySpace.INTEGER, ranges) + rowsIn(hashes, KeySpace.HASH, ranges);
    }

    private static long rowsIn(List<Drawn> drawn, KeySpace space, List<KeyRange> ranges) {
        return drawn.stream()
                .filter(one -> ranges.stream().anyMatch(range -> range.contains(space, one.position)))
                .mapToLong(Drawn::rows)
                .sum();
    }

    private static long rows(List<Drawn> drawn) {
        return drawn.stream().mapToLong(Drawn::rows).sum();
    }
}
