package dev.fulmar.coordinator.routing;

import dev.fulmar.engine.execution.RowArea;
import dev.fulmar.engine.plan.TableMarks;
import dev.fulmar.foundation.check.Invariants;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows on which a statement's result depends, and those that it changes. Both may be larger than they are, never
 * smaller.
 *
 * @param tables on any of whose rows it depends, as {@link TableMarks}
 * @param rows of other tables on which it depends
 * @param changed the rows that it changes; null if it changes none, or if it is not known which
 * @param showsRows whether its client is shown rows that were there: a query, and a write that returns some
 */
public record Reach(
        long tables, List<RowArea> rows, @Nullable RowArea changed, boolean showsRows) {
    /** A write of which nothing is known, and that returns no rows. */
    public static final Reach ANYWHERE = new Reach(TableMarks.ALL, List.of(), null, false);

    private static final Reach SHOWN_ANYWHERE = new Reach(TableMarks.ALL, List.of(), null, true);

    public Reach {
        Invariants.check(
                changed == null || tables != TableMarks.ALL,
                "a write whose rows are known depends on rows that are known");
        rows = List.copyOf(rows);
    }

    /** Of a query that reads the tables. */
    public static Reach ofTables(long tables) {
        return new Reach(tables, List.of(), null, true);
    }

    /** Of a write of which nothing is known. */
    public static Reach anywhere(boolean showsRows) {
        return showsRows ? SHOWN_ANYWHERE : ANYWHERE;
    }

    /** The rows on which several statements depend. Not thread-safe. */
    public static final class Union {
        /** Beyond it, those of a table are told by their bounds: each write is compared with each of them. */
        private static final int MOST_ROWS = 64;

        private final List<RowArea> rows = new ArrayList<>();
        private long tables = TableMarks.NONE;

        /** Whether it is all rows of all tables. */
        public boolean isAll() {
            return tables == TableMarks.ALL;
        }

        public void add(Reach reach) {
            tables |= reach.tables;
            for (RowArea area : reach.rows) {
                if ((tables & TableMarks.of(area.table())) == 0) {
                    rows.add(area);
                }
            }
            if (rows.size() > MOST_ROWS) {
                bind();
            }
        }

        /** Each table has one area then. */
        private void bind() {
            Map<Integer, RowArea> bounds = new TreeMap<>();
            rows.forEach(area -> bounds.merge(area.table(), area, Union::bounds));
            rows.clear();
            rows.addAll(bounds.values());
            if (rows.size() > MOST_ROWS / 2) {
                rows.forEach(area -> tables |= TableMarks.of(area.table()));
                rows.clear();
            }
        }

        /** The least area that has all rows of both. */
        private static RowArea bounds(RowArea one, RowArea other) {
            List<RowArea.Extent> extents = new ArrayList<>();
            for (RowArea.Extent own : one.extents()) {
                for (RowArea.Extent theirs : other.extents()) {
                    if (own.column() == theirs.column()) {
                        extents.add(new RowArea.Extent(
                                own.column(),
                                Math.min(own.from(), theirs.from()),
                                Math.max(own.to(), theirs.to()),
                                own.only() == theirs.only() ? own.only() : 0));
                    }
                }
            }
            return new RowArea(one.table(), 0, extents);
        }

        /** Whether something in it may depend on what the write changes. */
        public boolean dependsOn(Reach write) {
            return dependsOn(write, TableMarks.ALL);
        }

        /**
         * The same of a write of which it is known what it has changed.
         *
         * @param changedTables as {@link TableMarks}
         */
        public boolean dependsOn(Reach write, long changedTables) {
            if ((tables & changedTables) != 0 && (write.changed == null || has(write.changed.table()))) {
                return true;
            }
            for (RowArea area : rows) { // each new statement is compared with all before it
                boolean isApart = write.changed == null
                        ? (changedTables & TableMarks.of(area.table())) == 0
                        : !area.meets(write.changed);
                if (!isApart) {
                    return true;
                }
            }
            return false;
        }

        private boolean has(int table) {
            return (tables & TableMarks.of(table)) != 0;
        }
    }
}
