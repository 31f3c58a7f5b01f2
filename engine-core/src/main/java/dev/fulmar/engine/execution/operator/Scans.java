package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.index.SearchRange;
import dev.fulmar.engine.table.IndexCursor;
import dev.fulmar.engine.table.ScanCursor;
import dev.fulmar.engine.table.TableIndex;
import dev.fulmar.engine.table.TableStore;
import org.jspecify.annotations.Nullable;

/** The producers that read rows of a table: full scan, look-up of a unique key, and scan of an index range. */
final class Scans {
    private Scans() {}

    /** All rows. */
    static final class OfTable implements Producer {
        private final TableStore store;
        private final ScanCursor cursor;
        private final int source;
        private final @Nullable LongEvaluator filter;
        private final RowBudget budget;
        private final Consumer next;

        OfTable(TableStore store, int source, @Nullable LongEvaluator filter, RowBudget budget, Consumer next) {
            this.store = store;
            this.cursor = store.newScan();
            this.source = source;
            this.filter = filter;
            this.budget = budget;
            this.next = next;
        }

        @Override
        public boolean run(Frame frame) {
            store.open(cursor);
            long mark = frame.temporary.position();
            for (long row = cursor.next(); row != 0; row = cursor.next()) {
                budget.spendRow();
                frame.rows[source] = row;
                if ((filter == null || filter.isTrue(frame)) && !next.accept(frame)) {
                    return false;
                }
                frame.temporary.reset(mark);
            }
            return true;
        }
    }

    /** The one row of a unique key. */
    static final class OfKey implements Producer {
        private final TableIndex index;
        private final SearchKey key;
        private final IndexKeyWriter values;
        private final @Nullable ParameterKey known;
        private final int source;
        private final @Nullable LongEvaluator filter;
        private final RowBudget budget;
        private final Consumer next;

        OfKey(
                TableIndex index,
                IndexKeyWriter values,
                int source,
                @Nullable LongEvaluator filter,
                RowBudget budget,
                Consumer next) {
            this.index = index;
            this.key = index.newKey();
            this.values = values;
            this.known = ParameterKey.of(index, values);
            this.source = source;
            this.filter = filter;
            this.budget = budget;
            this.next = next;
        }

        /** The memory that {@link #run} is going to read, or null if that is not known beforehand. */
        @Nullable PointRead pointRead(int readSource, int[] blockColumns) {
            return source == readSource && index.isHashed() && values.takesParametersOnly()
                    ? new PointRead(index, values, blockColumns)
                    : null;
        }

        @Override
        public boolean run(Frame frame) {
            budget.spendRow();
            long row = frame.expectedRow;
            // It is meant for this look-up, not for those of joined tables that follow.
            frame.expectedRow = 0;
            if (row == 0 || known == null || !known.isKeyOf(row, frame.parameters)) {
                if (!values.write(frame, key.reset())) {
                    return true;
                }
                row = index.find(key);
                if (row == 0) {
                    return true;
                }
            }
            frame.rows[source] = row;
            return (filter != null && !filter.isTrue(frame)) || next.accept(frame);
        }
    }

    /** A range in index order. */
    static final class OfRange implements Producer {
        private final TableIndex index;
        private final SearchRange range;
        private final IndexCursor cursor;
        private final IndexRange bounds;
        private final boolean backwards;
        private final int source;
        private final @Nullable LongEvaluator filter;
        private final RowBudget budget;
        private final Consumer next;

        OfRange(
                TableIndex index,
                IndexRange bounds,
                boolean backwards,
                int source,
                @Nullable LongEvaluator filter,
                RowBudget budget,
                Consumer next) {
            this.index = index;
            this.range = index.newRange();
            this.cursor = index.newCursor();
            this.bounds = bounds;
            this.backwards = backwards;
            this.source = source;
            this.filter = filter;
            this.budget = budget;
            this.next = next;
        }

        @Override
        public boolean run(Frame frame) {
            budget.spendRow();
            long mark = frame.temporary.position();
            if (!bounds.write(frame, range.reset())) {
                return true;
            }
            index.open(cursor, range, backwards);
            for (long row = cursor.next(); row != 0; row = cursor.next()) {
                budget.spendRow();
                frame.rows[source] = row;
                if ((filter == null || filter.isTrue(frame)) && !next.accept(frame)) {
                    return false;
                }
                frame.temporary.reset(mark);
            }
            return true;
        }
    }

    /** Equal values, then bounds of the next column. */
    record IndexRange(
            IndexKeyWriter equal,
            @Nullable IndexKeyWriter lower,
            boolean lowerInclusive,
            @Nullable IndexKeyWriter upper,
            boolean upperInclusive) {
        /** False if a value is null, which matches nothing. */
        boolean write(Frame frame, SearchRange range) {
            return equal.write(frame, range.prefix())
                    && (lower == null || lower.write(frame, range.beginLower(lowerInclusive)))
                    && (upper == null || upper.write(frame, range.beginUpper(upperInclusive)));
        }
    }
}
