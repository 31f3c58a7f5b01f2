package dev.fulmar.engine.table;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several observers of one table's rows, in the order in which they came. */
final class RowObservers implements RowObserver {
    private final List<RowObserver> all;

    private RowObservers(List<RowObserver> all) {
        this.all = List.copyOf(all);
    }

    /** Those and one more. */
    static RowObserver with(@Nullable RowObserver those, RowObserver more) {
        if (those == null) {
            return more;
        }
        List<RowObserver> all = listed(those);
        all.add(more);
        return new RowObservers(all);
    }

    /** Those without one; null if none is left. */
    static @Nullable RowObserver without(@Nullable RowObserver those, RowObserver one) {
        if (those == null) {
            return null;
        }
        List<RowObserver> rest = listed(those);
        rest.remove(one);
        return rest.size() > 1 ? new RowObservers(rest) : rest.isEmpty() ? null : rest.getFirst();
    }

    private static List<RowObserver> listed(RowObserver those) {
        return new ArrayList<>(those instanceof RowObservers several ? several.all : List.of(those));
    }

    @Override
    public void changing(long row) {
        for (RowObserver observer : all) {
            observer.changing(row);
        }
    }

    @Override
    public void changing(long row, long image, UpdateShape shape) {
        for (RowObserver observer : all) {
            if (observer.isConcernedBy(shape)) {
                observer.changing(row, image, shape);
            }
        }
    }

    @Override
    public boolean isConcernedBy(UpdateShape shape) {
        for (RowObserver observer : all) {
            if (observer.isConcernedBy(shape)) {
                return true;
            }
        }
        return false;
    }
}
