package dev.fulmar.engine.plan;

import dev.fulmar.foundation.data.ColumnType;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * The columns of a joined row: those of the left side, then those of the right. A view: each join of sixty asks for the
 * columns of the joins below, and copies would add up to hundreds of megabytes. Immutable, as the lists given must be.
 */
final class JoinedTypes extends AbstractList<ColumnType> implements RandomAccess {
    private final List<ColumnType> left;
    private final List<ColumnType> right;
    private final int leftSize;
    private final int size;

    JoinedTypes(List<ColumnType> left, List<ColumnType> right) {
        this.left = left;
        this.right = right;
        leftSize = left.size();
        size = leftSize + right.size();
    }

    @Override
    public ColumnType get(int index) {
        Objects.checkIndex(index, size);
        return index < leftSize ? left.get(index) : right.get(index - leftSize);
    }

    @Override
    public int size() {
        return size;
    }
}
