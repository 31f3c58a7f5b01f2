package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.ScanCursor;
import dev.fulmar.engine.table.TableStore;

/**
 * Makes of a replicated sequence one of which each partition draws by itself. All partitions know the same count of
 * numbers that were drawn. So each gives its own places a count whose numbers lie behind them. All places get one, for
 * a later plan may have a partition draw at any.
 */
public final class SequenceSpread {
    private SequenceSpread() {}

    /** Makes the new sequence, by the plan that counts; the old one stays. */
    public static void make(PartitionStorage storage, Table before, Table after, PartitionPlan plan, int partition) {
        TableStore from = storage.table(before.id());
        storage.createTable(after);
        ScanCursor cursor = from.newScan();
        from.open(cursor);
        long row = cursor.next();
        if (row == 0) {
            return; // nothing was drawn
        }
        TableStore to = storage.table(after.id());
        long drawn = from.layout().getLong(row, SequenceRule.DRAWN);
        long turns = Math.ceilDiv(drawn, (long) SequenceRule.PLACES);
        RowImage image = new RowImage(to.layout());
        for (int place = 0; place < SequenceRule.PLACES; place++) {
            if (SequencePlaces.owner(plan, place) == partition) {
                byte[] text = SequencePlaces.text(place);
                image.clear();
                image.setBytes(SequenceRule.PLACE, text, 0, text.length);
                image.setLong(SequenceRule.DRAWN, turns);
                to.adopt(image, 0, RowLayout.commitTimestamp(row));
            }
        }
    }
}
