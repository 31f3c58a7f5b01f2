package dev.fulmar.engine.index;

import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.CellKind;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.NumericBytes;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The format of an index's keys: words whose unsigned order is index order. Integers and floating-point numbers take
 * their width with the sign turned; text and bytes escape 0 and 1 and end with 0; a nullable column has a byte before
 * it, 0, or 1 for null (so null is higher than every value); a descending column is inverted whole. No key is a prefix
 * of another. Where keys alone do not tell rows apart, the primary key's other columns follow, or the row number. A row
 * whose key cannot be computed has none.
 */
public final class KeyFormat {
    /** Keys of more words keep their rest outside the node. */
    static final int MOST_INLINE_WORDS = 8;

    /** Words in the node of a key that may have more, then comes the address of the rest. */
    static final int SPILL_PREFIX_WORDS = 5;

    static final int MARKER_BITS = 8;
    static final long NOT_NULL_MARKER = 0;
    static final long NULL_MARKER = 1;

    /** Keys that are made by a short cut: one long, or one to four ints, none nullable or descending. */
    private enum Shape {
        LONG,
        INT,
        INT_INT,
        INT_INT_INT,
        INT_INT_INT_INT,
        GENERAL,
        /** Some values are computed. */
        COMPUTED
    }

    private static final long SIGN_INT = 0x80000000L;
    private static final long SIGNS_INT_INT = 0x80000000_80000000L;
    private static final long LOW_INT = 0xFFFFFFFFL;

    private final RowLayout layout;
    private final Index index;
    private final int keyColumns;
    private final int[] columns;
    private final CellKind[] kinds;
    private final boolean[] nullable;
    private final boolean[] descending;
    private final boolean[] unsignedWide;
    private final int[] besideValue;
    private final boolean endsWithRowNumber;
    private final boolean endsWithInteger;
    private final int inlineWords;
    private final boolean spills;
    private final Shape shape;
    private final int[] offsets;
    private final @Nullable RowFilter filter;
    private final KeyValue[] values;

    /** The format of an index of all rows. */
    public KeyFormat(RowLayout layout, Index index) {
        this(layout, index, null, List.of());
    }

    /**
     * @param filter which rows the index has; null for all
     * @param computed what computes the keys that are no columns, in their order
     */
    public KeyFormat(RowLayout layout, Index index, @Nullable RowFilter filter, List<KeyValue> computed) {
        this.filter = filter;
        this.layout = layout;
        this.index = index;
        Table table = layout.table();
        keyColumns = index.columns().size();
        boolean anyNullable = index.columns().stream().anyMatch(column -> column.nullable(table));
        boolean hashed = index.unique() && index.kind() == IndexKind.HASH;
        boolean ambiguous = !hashed && (!index.unique() || anyNullable);
        List<IndexColumn> all = new ArrayList<>(index.columns());
        if (ambiguous) {
            for (int primary : table.primaryKey()) {
                if (all.stream().noneMatch(column -> column.column() == primary)) {
                    all.add(new IndexColumn(primary, false));
                }
            }
        }
        endsWithRowNumber = ambiguous && layout.hasRowNumber();
        int count = all.size();
        columns = all.stream().mapToInt(IndexColumn::column).toArray();
        kinds = new CellKind[count];
        nullable = new boolean[count];
        descending = new boolean[count];
        unsignedWide = new boolean[count];
        offsets = new int[count];
        besideValue = new int[count];
        for (int i = 0; i < count; i++) {
            ColumnType type = all.get(i).type(table);
            kinds[i] = CellKind.of(type);
            nullable[i] = all.get(i).nullable(table);
            descending[i] = all.get(i).descending();
            unsignedWide[i] = type.kind() == TypeKind.UUID;
            besideValue[i] = type.kind() == TypeKind.NUMERIC ? NumericBytes.SCALE_BYTES : 0;
            offsets[i] = all.get(i).isComputed() ? 0 : layout.offset(columns[i]);
        }
        endsWithInteger = kinds[count - 1].isLong();
        values = values(computed);
        int words = (mostBits() + Long.SIZE - 1) / Long.SIZE;
        spills = hasBytes() || words > MOST_INLINE_WORDS;
        inlineWords = spills ? SPILL_PREFIX_WORDS + 1 : words;
        shape = chooseShape();
    }

    /** How the values come into a key some of which are computed; none if all are columns. */
    private KeyValue[] values(List<KeyValue> computed) {
        if (computed.isEmpty()) {
            return new KeyValue[0];
        }
        Iterator<KeyValue> next = computed.iterator();
        KeyValue[] made = new KeyValue[columns.length];
        for (int i = 0; i < made.length; i++) {
            int column = columns[i];
            made[i] = column == IndexColumn.COMPUTED ? next.next() : (key, row) -> key.addColumn(layout, row, column);
        }
        return made;
    }

    private int mostBits() {
        int bits = endsWithRowNumber ? Long.SIZE : 0;
        for (int i = 0; i < columns.length; i++) {
            bits += (nullable[i] ? MARKER_BITS : 0) + bitsOf(kinds[i]);
        }
        return bits;
    }

    /** Bytes at the end of a value that are no part of its key, for equal values have others there. */
    int bytesBesideValue(int i) {
        return besideValue[i];
    }

    private boolean hasBytes() {
        return Arrays.asList(kinds).contains(CellKind.BYTES);
    }

    private static int bitsOf(CellKind kind) {
        return switch (kind) {
            case BYTE -> Byte.SIZE;
            case SHORT -> Short.SIZE;
            case INT -> Integer.SIZE;
            case LONG, FLOAT, DOUBLE -> Long.SIZE;
            case WIDE -> 2 * Long.SIZE;
            case BYTES -> 0;
        };
    }

    private Shape chooseShape() {
        if (values.length > 0) {
            return Shape.COMPUTED;
        }
        boolean allInts = !endsWithRowNumber;
        for (int i = 0; i < columns.length; i++) {
            if (nullable[i] || descending[i]) {
                return Shape.GENERAL;
            }
            allInts &= kinds[i] == CellKind.INT;
        }
        if (columns.length == 1 && kinds[0] == CellKind.LONG && !endsWithRowNumber) {
            return Shape.LONG;
        }
        return allInts && columns.length <= 4 ? Shape.values()[columns.length] : Shape.GENERAL;
    }

    public Index index() {
        return index;
    }

    public RowLayout layout() {
        return layout;
    }

    /** Columns that the index names, without those that only tell rows apart. */
    int keyColumns() {
        return keyColumns;
    }

    /**
     * Position in the table of the i-th column, which may be one that only tells rows apart; COMPUTED if it is none.
     */
    int column(int i) {
        return columns[i];
    }

    CellKind kind(int i) {
        return kinds[i];
    }

    boolean isNullable(int i) {
        return nullable[i];
    }

    boolean isDescending(int i) {
        return descending[i];
    }

    boolean isUnsignedWide(int i) {
        return unsignedWide[i];
    }

    /** Whether the key's last bits are those of an integer. */
    boolean endsWithInteger() {
        return endsWithInteger;
    }

    /** Words of an entry in a node. */
    int inlineWords() {
        return inlineWords;
    }

    /** Whether the last inline word is the address of the key's rest. */
    boolean spills() {
        return spills;
    }

    /** Sets the key to that of the row or image, with what tells rows apart; fails for a row without key. */
    public void keyOf(long row, SearchKey key) {
        key.reset();
        switch (shape) {
            case LONG -> key.setFirst(OffHeap.getLong(row + offsets[0]) ^ Long.MIN_VALUE, Long.SIZE, 1);
            case INT -> key.setFirst(oneInt(row, 0), Integer.SIZE, 1);
            case INT_INT -> key.setFirst(twoInts(row, 0, 1), Long.SIZE, 2);
            case INT_INT_INT -> key.setBoth(twoInts(row, 0, 1), oneInt(row, 2), Long.SIZE + Integer.SIZE, 3);
            case INT_INT_INT_INT -> key.setBoth(twoInts(row, 0, 1), twoInts(row, 2, 3), 2 * Long.SIZE, 4);
            case GENERAL -> generalKeyOf(row, key);
            case COMPUTED -> computedKeyOf(row, key);
        }
    }

    /** As {@link #keyOf}; false for a row without key, which has no entry either. */
    public boolean keyIfAny(long row, SearchKey key) {
        if (shape != Shape.COMPUTED) {
            keyOf(row, key);
            return true;
        }
        try {
            keyOf(row, key);
            return true;
        } catch (FulmarException withoutKey) {
            return false;
        }
    }

    private void generalKeyOf(long row, SearchKey key) {
        for (int i = 0; i < keyColumns; i++) {
            key.addColumn(layout, row, columns[i]);
        }
        key.endKeyColumns();
        for (int i = keyColumns; i < columns.length; i++) {
            key.addColumn(layout, row, columns[i]);
        }
        if (endsWithRowNumber) {
            key.append(OffHeap.getLong(row + layout.rowNumberOffset()), Long.SIZE);
        }
    }

    private void computedKeyOf(long row, SearchKey key) {
        for (int i = 0; i < keyColumns; i++) {
            values[i].addTo(key, row);
        }
        key.endKeyColumns();
        for (int i = keyColumns; i < columns.length; i++) {
            values[i].addTo(key, row);
        }
        if (endsWithRowNumber) {
            key.append(OffHeap.getLong(row + layout.rowNumberOffset()), Long.SIZE);
        }
    }

    private long oneInt(long row, int i) {
        return ((OffHeap.getInt(row + offsets[i]) & LOW_INT) ^ SIGN_INT) << Integer.SIZE;
    }

    private long twoInts(long row, int i, int j) {
        long high = OffHeap.getInt(row + offsets[i]) & LOW_INT;
        long low = OffHeap.getInt(row + offsets[j]) & LOW_INT;
        return ((high << Integer.SIZE) | low) ^ SIGNS_INT_INT;
    }

    /** Whether the index has the row. */
    public boolean admits(long row) {
        RowFilter known = filter;
        return known == null || known.admits(row);
    }

    /** Whether the index has the row, under this key in the key columns; {@code scratch} is overwritten. */
    boolean hasKey(long row, SearchKey key, SearchKey scratch) {
        return hasSameKey(row, key, scratch) && admits(row);
    }

    private boolean hasSameKey(long row, SearchKey key, SearchKey scratch) {
        return switch (shape) {
            case LONG -> (OffHeap.getLong(row + offsets[0]) ^ Long.MIN_VALUE) == key.word(0);
            case INT -> oneInt(row, 0) == key.word(0);
            case INT_INT -> twoInts(row, 0, 1) == key.word(0);
            case INT_INT_INT -> twoInts(row, 0, 1) == key.word(0) && oneInt(row, 2) == key.word(1);
            case INT_INT_INT_INT -> twoInts(row, 0, 1) == key.word(0) && twoInts(row, 2, 3) == key.word(1);
            case GENERAL -> {
                keyOf(row, scratch);
                yield scratch.hasSameKeyColumns(key);
            }
            case COMPUTED -> keyIfAny(row, scratch) && scratch.hasSameKeyColumns(key);
        };
    }

    /** Text for messages: the key columns and the row's values. */
    public String describeKey(long row) {
        return KeyDescription.of(this, row);
    }

    /** A key in this format. */
    public SearchKey newKey(@Nullable KeyRouting routing) {
        return new SearchKey(this, routing);
    }
}
