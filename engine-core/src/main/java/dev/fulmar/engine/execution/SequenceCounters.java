package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.execution.expression.Counters;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.TableIndex;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.engine.table.UpdateShape;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Draws the next number of a sequence on one partition, by a row of the sequence's table that counts the draws. That is
 * the row of the first place that belongs to the partition, see {@link SequencePlaces}, or of the only place of a
 * replicated or dense sequence.
 */
final class SequenceCounters implements Counters {
    private static final byte[] NOWHERE = {};

    private final ExecutionContext context;

    SequenceCounters(ExecutionContext context) {
        this.context = context;
    }

    @Override
    public Counter of(int table) {
        PartitionStorage storage = context.requiredStorage();
        return new PlaceCounter(context, storage.table(table), storage.undoLog());
    }

    private static final class PlaceCounter implements Counter {
        private final ExecutionContext context;
        private final TableStore store;
        private final UndoLog undo;
        private final SequenceRule rule;
        private final boolean single;
        private final boolean dense;
        private final TableIndex index;
        private final SearchKey key;
        private final RowImage image;
        private final UpdateShape shape;
        private @Nullable PartitionPlan plan;
        private byte[] place = NOWHERE;
        private int number;

        PlaceCounter(ExecutionContext context, TableStore store, UndoLog undo) {
            this.context = context;
            this.store = store;
            this.undo = undo;
            rule = store.layout().table().sequence().orElseThrow();
            single = store.layout().table().isReplicated();
            dense = rule.isDense();
            index = store.primaryIndex();
            key = index.newKey();
            image = new RowImage(store.layout());
            shape = store.updateShape(SequenceRule.DRAWN);
        }

        @Override
        public long next() {
            if (dense) {
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "numbers of the sequence " + store.layout().table().name()
                                + ", which has a CACHE, are drawn for statements with rows that are known; pass the number"
                                + " as a parameter");
            }
            return take(1);
        }

        @Override
        public long nextRange(long wanted) {
            Invariants.check(dense, "ranges are drawn of dense sequences");
            return take(Math.max(wanted, rule.cache()));
        }

        private long take(long wanted) {
            PartitionPlan current = context.partitionPlan();
            if (plan != current) {
                settle(current);
            }
            DataAccess access = context.dataAccess();
            if (access != null && !single) {
                PartitionKey.require(access.ofKey(KeySpace.HASH, current.positionOf(place, 0, place.length)));
            }
            image.clear();
            image.setBytes(SequenceRule.PLACE, place, 0, place.length);
            key.reset();
            key.addColumn(store.layout(), image.address(), SequenceRule.PLACE);
            long row = index.find(key);
            long drawn = row == 0 ? 0 : store.layout().getLong(row, SequenceRule.DRAWN);
            long value = value(drawn);
            long taken = dense ? SequenceRule.available(value, rule.increment(), wanted) : wanted;
            image.setLong(SequenceRule.DRAWN, drawn + taken);
            if (row == 0) {
                store.insert(image, undo);
            } else {
                store.update(row, image, shape, undo);
            }
            return value;
        }

        private long value(long drawn) {
            try {
                long steps = single || dense
                        ? drawn
                        : Math.addExact(Math.multiplyExact(drawn, (long) SequenceRule.PLACES), number);
                return Math.addExact(rule.start(), Math.multiplyExact(steps, rule.increment()));
            } catch (ArithmeticException e) {
                throw new FulmarException(
                        ErrorCode.VALUE_OUT_OF_RANGE,
                        "the sequence " + store.layout().table().name()
                                + " has no numbers left; create another with a smaller start or increment",
                        e);
            }
        }

        /** The place follows from the plan alone: a replay, and the copies, must draw the numbers of the primary. */
        private void settle(PartitionPlan current) {
            if (single) {
                plan = current;
                return;
            }
            if (dense) {
                place = SequenceRule.densePlace(store.layout().table().id()).getBytes(StandardCharsets.US_ASCII);
                plan = current;
                return;
            }
            number = SequencePlaces.first(current, context.partition())
                    .orElseThrow(() -> new FulmarException(
                            ErrorCode.NOT_SUPPORTED,
                            "no place of the sequence " + store.layout().table().name() + " belongs to partition "
                                    + context.partition() + "; sequences serve a hundred partitions or so"));
            place = SequencePlaces.text(number);
            plan = current;
        }
    }
}
