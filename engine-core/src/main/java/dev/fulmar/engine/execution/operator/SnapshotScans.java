package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.index.SearchRange;
import dev.fulmar.engine.table.IndexCursor;
import dev.fulmar.engine.table.ScanCursor;
import dev.fulmar.engine.table.TableIndex;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.engine.version.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * The sources of table rows as a snapshot shows them. They pause between rows, and after a pause look up again where
 * the version of their row lies, for a transaction may have moved it.
 */
final class SnapshotScans {
    private SnapshotScans() {}

    /** The common part of the sources. */
    private abstract static class Scan implements Producer {
        private final Snapshot snapshot;
        private final int source;
        private final @Nullable LongEvaluator filter;
        private final RowBudget budget;
        private final Consumer next;
        /** The slot of the row that the consumer has not done with, 0 if there is none. */
        private long pending;

        private long mark;

        Scan(OperatorContext context, int source, @Nullable LongEvaluator filter, Consumer next) {
            this.snapshot = context.requiredSnapshot();
            this.budget = context.budget();
            this.source = source;
            this.filter = filter;
            this.next = next;
        }

        /** Places itself before the first row; false if there is none. */
        abstract boolean open(Frame frame);

        /** The slot of the next row, 0 at the end. */
        abstract long next();

        final Snapshot snapshot() {
            return snapshot;
        }

        @Override
        public final boolean run(Frame frame) {
            pending = 0;
            budget.spendRow();
            mark = frame.temporary.position();
            return !open(frame) || goOn(frame);
        }

        @Override
        public final boolean resume(Frame frame) {
            if (pending != 0) {
                frame.rows[source] = snapshot.versionOf(pending);
                if (!next.resume(frame)) {
                    return false;
                }
                pending = 0;
                frame.temporary.reset(mark);
            }
            return goOn(frame);
        }

        private boolean goOn(Frame frame) {
            while (!budget.endsSlice()) {
                long row = next();
                if (row == 0) {
                    return true;
                }
                frame.rows[source] = snapshot.versionOf(row);
                if (filter == null || filter.isTrue(frame)) {
                    pending = row;
                    if (!next.accept(frame)) {
                        return false;
                    }
                    pending = 0;
                }
                frame.temporary.reset(mark);
            }
            return false;
        }
    }

    /** All rows. */
    static final class OfTable extends Scan {
        private final TableStore store;
        private final ScanCursor cursor;

        OfTable(OperatorContext context, TableStore store, int source, @Nullable LongEvaluator filter, Consumer next) {
            super(context, source, filter, next);
            this.store = store;
            this.cursor = store.newScan(snapshot());
        }

        @Override
        boolean open(Frame frame) {
            store.open(cursor);
            return true;
        }

        @Override
        long next() {
            return cursor.next();
        }
    }

    /** The one row of a unique key. */
    static final class OfKey extends Scan {
        private final TableIndex index;
        private final SearchKey key;
        private final IndexKeyWriter values;
        private long row;

        OfKey(
                OperatorContext context,
                TableIndex index,
                IndexKeyWriter values,
                int source,
                @Nullable LongEvaluator filter,
                Consumer next) {
            super(context, source, filter, next);
            this.index = index;
            this.key = index.newKey();
            this.values = values;
        }

        @Override
        boolean open(Frame frame) {
            row = values.write(frame, key.reset()) ? index.findAt(key, snapshot()) : 0;
            return row != 0;
        }

        @Override
        long next() {
            long only = row;
            row = 0;
            return only;
        }
    }

    /** A range in index order. */
    static final class OfRange extends Scan {
        private final TableIndex index;
        private final SearchRange range;
        private final IndexCursor cursor;
        private final Scans.IndexRange bounds;
        private final boolean backwards;

        OfRange(
                OperatorContext context,
                TableIndex index,
                Scans.IndexRange bounds,
                boolean backwards,
                int source,
                @Nullable LongEvaluator filter,
                Consumer next) {
            super(context, source, filter, next);
            this.index = index;
            this.range = index.newRange();
            this.cursor = index.newCursor(snapshot());
            this.bounds = bounds;
            this.backwards = backwards;
        }

        @Override
        boolean open(Frame frame) {
            if (!bounds.write(frame, range.reset())) {
                return false;
            }
            index.open(cursor, range, backwards);
            return true;
        }

        @Override
        long next() {
            return cursor.next();
        }
    }
}
