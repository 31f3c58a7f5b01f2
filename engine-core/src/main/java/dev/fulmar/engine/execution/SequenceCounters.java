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
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Draws the next number of a sequence on one partition, by a row of the sequence's table that counts the draws. That is
 * the row of the first place that belongs to the partition and has numbers left, see {@link SequencePlaces}, or of the
 * only place of a replicated or dense sequence.
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

        /** The first places of the partition, as many as were asked for so far. */
        private final List<Place> places = new ArrayList<>();

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
        public long next(long least, long greatest) {
            if (dense) {
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "numbers of the sequence " + store.layout().table().name()
                                + ", which has a CACHE, are drawn for statements with rows that are known; pass the number"
                                + " as a parameter");
            }
            settle();
            if (single) {
                Place only = place(0);
                return take(only, find(only), 1);
            }
            // The rows alone say where numbers are left: a replay, and the copies, must draw those of the primary.
            for (int i = 0; ; i++) {
                Place place = place(i);
                long row = find(place);
                if (hasLeft(place, drawn(row), least, greatest)) {
                    return take(place, row, 1);
                }
            }
        }

        @Override
        public long nextRange(long wanted) {
            Invariants.check(dense, "ranges are drawn of dense sequences");
            settle();
            Place place = place(0);
            return take(place, find(place), Math.max(wanted, rule.cache()));
        }

        /** Whether the next number of the place is not behind the last one that may be drawn. */
        private boolean hasLeft(Place place, long drawn, long least, long greatest) {
            try {
                long next = value(place, drawn);
                return rule.increment() > 0 ? next <= greatest : next >= least;
            } catch (ArithmeticException isBehindAll) {
                return false;
            }
        }

        /** The row of the place, whose key is in the image; 0 if nothing was drawn there. */
        private long find(Place place) {
            DataAccess access = context.dataAccess();
            if (access != null && !single) {
                PartitionPlan current = context.partitionPlan();
                PartitionKey.require(
                        access.ofKey(KeySpace.HASH, current.positionOf(place.text(), 0, place.text().length)));
            }
            image.clear();
            image.setBytes(SequenceRule.PLACE, place.text(), 0, place.text().length);
            key.reset();
            key.addColumn(store.layout(), image.address(), SequenceRule.PLACE);
            return index.find(key);
        }

        private long drawn(long row) {
            return row == 0 ? 0 : store.layout().getLong(row, SequenceRule.DRAWN);
        }

        private long take(Place place, long row, long wanted) {
            long drawn = drawn(row);
            long value;
            try {
                value = value(place, drawn);
            } catch (ArithmeticException e) {
                throw noneLeft();
            }
            long taken = dense ? SequenceRule.available(value, rule.increment(), rule.last(), wanted) : wanted;
            image.setLong(SequenceRule.DRAWN, drawn + taken);
            if (row == 0) {
                store.insert(image, undo);
            } else {
                store.update(row, image, shape, undo);
            }
            return value;
        }

        private long value(Place place, long drawn) {
            if (dense) {
                return rule.number(drawn);
            }
            long steps = single
                    ? drawn
                    : Math.addExact(Math.multiplyExact(drawn, (long) SequenceRule.PLACES), place.number());
            return Math.addExact(rule.start(), Math.multiplyExact(steps, rule.increment()));
        }

        private FulmarException noneLeft() {
            return new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE,
                    "the sequence " + store.layout().table().name()
                            + " has no numbers left; create another with a smaller start or increment, or make an INTEGER"
                            + " column a BIGINT");
        }

        /** Places follow from the plan alone. */
        private void settle() {
            PartitionPlan current = context.partitionPlan();
            if (plan != current) {
                places.clear();
                plan = current;
            }
        }

        private Place place(int index) {
            while (places.size() <= index) {
                places.add(next());
            }
            return places.get(index);
        }

        private Place next() {
            if (single) {
                return new Place(0, NOWHERE);
            }
            if (dense) {
                String text = SequenceRule.densePlace(store.layout().table().id());
                return new Place(0, text.getBytes(StandardCharsets.US_ASCII));
            }
            int from = places.isEmpty() ? 0 : places.getLast().number() + 1;
            OptionalInt next = SequencePlaces.next(context.partitionPlan(), context.partition(), from);
            if (next.isPresent()) {
                return new Place(next.getAsInt(), SequencePlaces.text(next.getAsInt()));
            }
            if (!places.isEmpty()) {
                throw noneLeft();
            }
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "no place of the sequence " + store.layout().table().name() + " belongs to partition "
                            + context.partition() + "; sequences serve a hundred partitions or so");
        }
    }

    /** A place of a sequence. */
    @SuppressWarnings("ArrayRecordComponent") // one owner, never changed
    private record Place(int number, byte[] text) {}
}
