package dev.fulmar.engine.durability;

import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.ScanCursor;
import dev.fulmar.engine.table.TableIndex;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.engine.table.UpdateShape;
import dev.fulmar.engine.undo.ChangeKind;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Replays changes of one table. */
final class TableReplay {
    private static final int MAX_SHAPES = 1000;

    /** A row of a table without a primary key. */
    private record NumberedRow(int bucket, long number) {}

    private final TableStore table;
    private final RowLayout layout;
    private final RowImage image;
    private final @Nullable TableIndex primary;
    private final @Nullable SearchKey key;
    private final Map<BitSet, UpdateShape> shapes = new HashMap<>();

    /** Rows by their numbers, made when one is first looked for. */
    private @Nullable Map<NumberedRow, Long> numbered;

    TableReplay(TableStore table) {
        this.table = table;
        this.layout = table.layout();
        this.image = new RowImage(layout);
        boolean keyed = !layout.table().primaryKey().isEmpty();
        this.primary = keyed ? table.primaryIndex() : null;
        this.key = primary == null ? null : primary.newKey();
    }

    void insert(ImageReader in, UndoLog undo) {
        int bucket = layout.hasRowNumber() ? in.getInt() : 0;
        long number = layout.hasRowNumber() ? in.getLong() : 0;
        int columns = layout.columnCount();
        int nulls = in.take(ChangeEncoder.bitBytes(columns));
        image.clear();
        for (int column = 0; column < columns; column++) {
            if (isSet(in.array(), nulls, column)) {
                image.setNull(column);
            } else {
                readCell(in, column);
            }
        }
        long row = table.insert(image, number, undo);
        if (numbered != null && layout.hasRowNumber()) {
            numbered.put(new NumberedRow(bucket, number), row);
        }
    }

    /** Rows without a number get higher ones from now on. */
    void pass(ImageReader in) {
        table.passRowNumbers(in.getInt(), in.getLong() + 1);
    }

    boolean knowsNumbers() {
        return numbered != null;
    }

    /** A row was changed otherwise than by an image. */
    void observe(ChangeKind kind, long row) {
        Map<NumberedRow, Long> rows = numbered;
        if (rows == null) {
            return;
        }
        NumberedRow number = new NumberedRow(table.bucketOf(row), OffHeap.getLong(row + layout.rowNumberOffset()));
        switch (kind) {
            case INSERT, DELETE -> {
                if (RowLayout.isVisible(row)) {
                    rows.put(number, row);
                } else {
                    rows.remove(number);
                }
            }
            case UPDATE, BYTES, KEY_CHANGE -> {}
        }
    }

    void delete(ImageReader in, UndoLog undo) {
        table.delete(find(in, true), undo);
    }

    void update(ImageReader in, UndoLog undo) {
        long row = find(in, false);
        int columns = layout.columnCount();
        int bitBytes = ChangeEncoder.bitBytes(columns);
        int bits = in.take(2 * bitBytes);
        image.clear();
        BitSet changed = new BitSet(columns);
        for (int column = 0; column < columns; column++) {
            if (isSet(in.array(), bits, column)) {
                changed.set(column);
                if (isSet(in.array(), bits + bitBytes, column)) {
                    image.setNull(column);
                } else {
                    readCell(in, column);
                }
            }
        }
        table.update(row, image, shape(changed), undo);
    }

    private UpdateShape shape(BitSet changed) {
        UpdateShape shape = shapes.get(changed);
        if (shape == null) {
            if (shapes.size() >= MAX_SHAPES) {
                shapes.clear();
            }
            shape = table.updateShape(changed.stream().toArray());
            shapes.put(changed, shape);
        }
        return shape;
    }

    private static boolean isSet(byte[] array, int offset, int bit) {
        return (array[offset + bit / Byte.SIZE] & 1 << (bit % Byte.SIZE)) != 0;
    }

    private void readCell(ImageReader in, int column) {
        switch (layout.kind(column)) {
            case BYTE -> image.setLong(column, in.getByte());
            case SHORT -> image.setLong(column, in.getShort());
            case INT -> image.setLong(column, in.getInt());
            case LONG -> image.setLong(column, in.getLong());
            case FLOAT -> image.setDouble(column, Float.intBitsToFloat(in.getInt()));
            case DOUBLE -> image.setDouble(column, Double.longBitsToDouble(in.getLong()));
            case WIDE -> image.setWide(column, in.getLong(), in.getLong());
            case BYTES -> {
                int length = in.getInt();
                image.setBytes(column, in.array(), in.take(length), length);
            }
        }
    }

    private long find(ImageReader in, boolean forget) {
        TableIndex index = primary;
        SearchKey search = key;
        long row = index == null || search == null ? findNumbered(in, forget) : findByKey(in, index, search);
        if (row == 0) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION,
                    "the log changes a row of table " + layout.table().name()
                            + " that is not there; please report this, and rebuild the node from a copy");
        }
        return row;
    }

    private long findByKey(ImageReader in, TableIndex index, SearchKey search) {
        List<Integer> columns = layout.table().primaryKey();
        image.clear();
        for (int i = 0; i < columns.size(); i++) {
            readCell(in, columns.get(i));
        }
        search.reset();
        for (int i = 0; i < index.definition().columns().size(); i++) {
            search.addColumn(
                    layout, image.address(), index.definition().columns().get(i).column());
        }
        return index.find(search);
    }

    private long findNumbered(ImageReader in, boolean forget) {
        NumberedRow wanted = new NumberedRow(in.getInt(), in.getLong());
        Map<NumberedRow, Long> rows = numbered;
        if (rows == null) {
            rows = scan();
            numbered = rows;
        }
        Long row = forget ? rows.remove(wanted) : rows.get(wanted);
        if (row != null && Invariants.EXPENSIVE) {
            Invariants.check(
                    RowLayout.isVisible(row) && OffHeap.getLong(row + layout.rowNumberOffset()) == wanted.number(),
                    "a replay knows each numbered row by its present address");
        }
        return row == null ? 0 : row;
    }

    private Map<NumberedRow, Long> scan() {
        Map<NumberedRow, Long> rows = new HashMap<>();
        ScanCursor cursor = table.newScan();
        table.open(cursor);
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            long number = OffHeap.getLong(row + layout.rowNumberOffset());
            rows.put(new NumberedRow(table.bucketOf(row), number), row);
        }
        return rows;
    }
}
