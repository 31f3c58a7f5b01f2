package dev.fulmar.engine.index;

import dev.fulmar.engine.version.Snapshot;
import dev.fulmar.foundation.check.Invariants;
import org.jspecify.annotations.Nullable;

/**
 * Walks a range of one {@link OrderedIndex} and yields visible rows. If the index was changed since the last step, it
 * seeks again behind the entry that it yielded last. Over a snapshot it yields the rows that this shows, under the keys
 * that they have there. Reusable.
 */
public final class TreeCursor {
    private final SearchKey last;
    private final @Nullable Snapshot snapshot;
    private OrderedIndex index;
    private TreeNodes nodes;
    private SearchKey start;
    private SearchKey bound;
    private boolean backwards;
    private long leaf;
    private int position;
    private long modifications;
    private long lastRow;

    /** @param snapshot null for the newest versions */
    public TreeCursor(OrderedIndex index, SearchRange range, @Nullable Snapshot snapshot) {
        this.snapshot = snapshot;
        this.index = index;
        nodes = index.nodes();
        last = index.format().newKey(null);
        last.reset();
        start = range.first();
        bound = range.end();
    }

    /**
     * Places the cursor at an end of a {@linkplain #complete completed} range. The range must not be changed while the
     * cursor is used.
     */
    public void open(OrderedIndex opened, SearchRange range, boolean fromTheEnd) {
        index = opened;
        nodes = opened.nodes();
        backwards = fromTheEnd;
        lastRow = 0;
        modifications = opened.modifications();
        start = fromTheEnd ? range.end() : range.first();
        bound = fromTheEnd ? range.first() : range.end();
        if (range.isEmpty()) {
            leaf = 0;
            return;
        }
        seek(start, rowOf(start));
        if (fromTheEnd) {
            position--;
        }
    }

    /** Must be called once after a range was set and before cursors are opened on it. */
    public static void complete(SearchRange range) {
        range.complete();
    }

    /** A key padded with ones stands behind every row of that key. */
    private static long rowOf(SearchKey key) {
        return key.isPaddedWithOnes() ? -1 : 0;
    }

    private void seek(SearchKey key, long row) {
        leaf = index.leafOf(key, row);
        position = leaf == 0 ? 0 : nodes.leafPosition(leaf, key, row);
    }

    /** Address of the slot of the next visible row, 0 at the end. */
    public long next() {
        if (modifications != index.modifications()) {
            seekAgain();
        }
        return backwards ? previousRow() : nextRow();
    }

    private long nextRow() {
        while (leaf != 0) {
            if (position >= TreeNodes.count(leaf)) {
                leaf = TreeNodes.next(leaf);
                position = 0;
                continue;
            }
            int order = nodes.compare(leaf, position, bound);
            if (order > 0 || (order == 0 && !bound.isPaddedWithOnes())) {
                leaf = 0;
                return 0;
            }
            long row = nodes.leafRow(leaf, position);
            if (isVisible(row)) {
                return advance(row, position + 1);
            }
            position++;
        }
        return 0;
    }

    private long previousRow() {
        while (leaf != 0) {
            if (position < 0) {
                leaf = TreeNodes.previous(leaf);
                position = leaf == 0 ? 0 : TreeNodes.count(leaf) - 1;
                continue;
            }
            int order = nodes.compare(leaf, position, bound);
            if (order < 0 || (order == 0 && bound.isPaddedWithOnes())) {
                leaf = 0;
                return 0;
            }
            long row = nodes.leafRow(leaf, position);
            if (isVisible(row)) {
                return advance(row, position - 1);
            }
            position--;
        }
        return 0;
    }

    private boolean isVisible(long row) {
        Snapshot shown = snapshot;
        return shown == null ? index.isCurrent(leaf, position, row) : index.isShown(leaf, position, row, shown);
    }

    private long advance(long row, int following) {
        if (Invariants.EXPENSIVE && lastRow != 0) {
            checkOrder(row);
        }
        nodes.readKey(leaf, position, last);
        lastRow = row;
        position = following;
        return row;
    }

    private void checkOrder(long row) {
        last.pad(false);
        int order = nodes.compare(leaf, position, last);
        if (order == 0) {
            order = Long.compareUnsigned(row, lastRow);
        }
        Invariants.check(backwards ? order < 0 : order > 0, "a reader of an ordered index meets its entries in order");
    }

    /** Goes on behind the row that was yielded last; an end that was reached stays the end. */
    private void seekAgain() {
        modifications = index.modifications();
        if (leaf == 0) {
            return;
        }
        if (lastRow == 0) {
            seek(start, rowOf(start));
        } else {
            last.pad(false);
            seek(last, backwards ? lastRow : lastRow + 1);
        }
        if (backwards) {
            position--;
        }
    }

    /** Whether a reader of the newest versions still sees the row yielded last under the key that it had then. */
    public boolean isLastCurrent() {
        return index.hasKey(lastRow, last);
    }

    /** Order of the rows that two cursors on indexes of one format yielded last. */
    public static int compareLast(TreeCursor one, TreeCursor other) {
        return one.last.compareWhole(other.last);
    }
}
