package dev.fulmar.engine.table;

import dev.fulmar.engine.index.OrderedIndex;
import dev.fulmar.engine.index.SearchRange;
import dev.fulmar.engine.index.TreeCursor;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.version.Snapshot;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Walks a range of an ordered index in key order over all buckets, and yields visible rows only. Stays right when rows
 * are changed while it is open: it yields each entry at most once; entries that appear ahead of it may be seen. So a
 * statement that changes a key column of the index it walks must collect the rows first, or it may meet a row again.
 * Over a snapshot it yields exactly the rows that this shows, whatever happens meanwhile. Reusable, one thread.
 */
public final class IndexCursor {
    private @Nullable TreeCursor[] cursors = {};
    private long[] heads = {};
    private int opened;
    private final @Nullable Snapshot snapshot;
    private @Nullable TreeCursor only;
    private boolean backwards;

    /** @param snapshot null for the newest versions */
    IndexCursor(@Nullable Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    /** The snapshot that it shows; null for the newest versions. */
    @Nullable Snapshot snapshot() {
        return snapshot;
    }

    /** Over the entries of one bucket. */
    void openOne(SearchRange range, boolean fromTheEnd, OrderedIndex root) {
        begin(range, fromTheEnd, 1);
        only = cursor(0, range, root);
    }

    /** Over the entries of so many buckets, whose roots have places. */
    void open(SearchRange range, boolean fromTheEnd, int count, IntFunction<OrderedIndex> roots) {
        begin(range, fromTheEnd, count);
        only = null;
        for (int place = 0; place < count; place++) {
            heads[place] = cursor(place, range, roots.apply(place)).next();
        }
    }

    private void begin(SearchRange range, boolean fromTheEnd, int count) {
        TreeCursor.complete(range);
        backwards = fromTheEnd;
        opened = count;
        if (cursors.length < count) {
            cursors = Arrays.copyOf(cursors, count);
            heads = new long[count];
        }
    }

    private TreeCursor cursor(int place, SearchRange range, OrderedIndex root) {
        TreeCursor cursor = cursors[place];
        if (cursor == null) {
            cursor = new TreeCursor(root, range, snapshot);
            cursors[place] = cursor;
        }
        cursor.open(root, range, backwards);
        return cursor;
    }

    /** Address of the next row's slot, 0 at the end. */
    public long next() {
        TreeCursor single = only;
        return single != null ? single.next() : nextOfAll();
    }

    private long nextOfAll() {
        while (true) {
            int first = -1;
            for (int i = 0; i < opened; i++) {
                if (heads[i] != 0 && (first < 0 || isBefore(i, first))) {
                    first = i;
                }
            }
            if (first < 0) {
                return 0;
            }
            long row = heads[first];
            // The head was taken ahead of time and may have been changed since.
            boolean current = isStillCurrent(first, row);
            heads[first] = cursorAt(first).next();
            if (current) {
                return row;
            }
        }
    }

    private boolean isBefore(int one, int other) {
        int order = TreeCursor.compareLast(cursorAt(one), cursorAt(other));
        return backwards ? order > 0 : order < 0;
    }

    private boolean isStillCurrent(int bucket, long row) {
        return snapshot != null
                || (RowLayout.flags(row) & RowLayout.NATURE) == RowLayout.USED
                || cursorAt(bucket).isLastCurrent();
    }

    private TreeCursor cursorAt(int bucket) {
        TreeCursor cursor = cursors[bucket];
        if (cursor == null) {
            throw new IllegalStateException("the cursor is not open");
        }
        return cursor;
    }
}
