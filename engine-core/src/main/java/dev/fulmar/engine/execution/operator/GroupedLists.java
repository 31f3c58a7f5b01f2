package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.value.ScratchMemory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sorts the values that aggregates keep of a group, and has them make their results. It can pause before each step. */
final class GroupedLists {
    private record Place(KeptValues list, int offset) {}

    /** With more entries their addresses are given up with the memory that they point to. */
    private static final int KEPT_ENTRIES = 1 << 16;

    private final Place[] places;
    private final ScratchMemory memory;
    private final AddressList entries;
    private final SlicedSort sort;
    /** The list of the present group that is sorted now, and whether that has begun. */
    private int place;

    private boolean isSorting;

    private GroupedLists(List<Place> places, OperatorContext context) {
        this.places = places.toArray(Place[]::new);
        memory = context.retained();
        entries = new AddressList(memory);
        sort = new SlicedSort(context.budget(), ListAccumulator::isAfter);
    }

    /** Null if no aggregate keeps a list. */
    static @Nullable GroupedLists of(List<AggregateProducer.Call> calls, OperatorContext context) {
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            if (calls.get(i).accumulator() instanceof KeptValues list) {
                places.add(new Place(list, AggregateProducer.stateOffset(i)));
            }
        }
        return places.isEmpty() ? null : new GroupedLists(places, context);
    }

    /** Forgets a group that was not finished. */
    void begin() {
        place = 0;
        isSorting = false;
        entries.clear();
        sort.release();
    }

    /** Finishes the group's lists; false if the slice ended before, and the group is to be given again. */
    boolean finish(long group, Frame frame) {
        while (place < places.length) {
            long state = group + places[place].offset();
            KeptValues list = places[place].list();
            if (!isSorting) {
                entries.clear();
                list.gather(state, entries);
                sort.begin(entries.array(), entries.size());
                isSorting = true;
                if (entries.size() > KEPT_ENTRIES) {
                    memory.whenCleared(sort::release);
                }
            }
            if (!sort.goOn() || !list.finish(state, entries, frame)) {
                return false;
            }
            isSorting = false;
            place++;
        }
        place = 0;
        return true;
    }
}
