package dev.fulmar.engine.durability;

import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.undo.ChangeKind;
import dev.fulmar.engine.undo.UndoVisitor;
import dev.fulmar.foundation.check.Invariants;
import java.util.Arrays;

/**
 * Lists the rows that a transaction changed, each with its first change, for the digest and for logging by value. While
 * it is filled the rows carry marks in their flags, which {@link #clear} takes away again. One thread; reused.
 */
final class ChangeList implements UndoVisitor {
    /** The row's first change is known. */
    private static final int SEEN = 8;

    /** A key of the row changed. */
    private static final int KEY_CHANGED = 16;

    /** Bytes of the row's block were overwritten. */
    private static final int OVERWRITTEN = 32;

    private static final int MARKS = SEEN | KEY_CHANGED | OVERWRITTEN;
    private static final int FIRST_LENGTH = 64;

    private ChangeKind[] kinds = new ChangeKind[FIRST_LENGTH];
    private int[] tables = new int[FIRST_LENGTH];
    private long[] rows = new long[FIRST_LENGTH];
    private long[] payloads = new long[FIRST_LENGTH];
    private int count;

    /** Places of the first changes of rows, in the order of the changes. */
    private int[] firsts = new int[FIRST_LENGTH];

    private int rowCount;

    /** Takes changes, newest first. */
    @Override
    public void change(ChangeKind kind, int tableId, long row, long payload) {
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    (RowLayout.flags(row) & MARKS) == 0,
                    "a row has no marks while the changes of a transaction are listed");
        }
        if (count == rows.length) {
            int length = 2 * count;
            kinds = Arrays.copyOf(kinds, length);
            tables = Arrays.copyOf(tables, length);
            rows = Arrays.copyOf(rows, length);
            payloads = Arrays.copyOf(payloads, length);
            firsts = Arrays.copyOf(firsts, length);
        }
        kinds[count] = kind;
        tables[count] = tableId;
        rows[count] = row;
        payloads[count] = payload;
        count++;
    }

    /** After the last change was taken: finds the first change of every row. */
    void findRows() {
        for (int i = count - 1; i >= 0; i--) {
            int flags = RowLayout.flags(rows[i]);
            if ((flags & SEEN) == 0) {
                firsts[rowCount++] = i;
            }
            int mark = switch (kinds[i]) {
                case INSERT, UPDATE, DELETE -> SEEN;
                case BYTES -> SEEN | OVERWRITTEN;
                case KEY_CHANGE -> SEEN | KEY_CHANGED;
            };
            if ((flags & mark) != mark) {
                RowLayout.setFlags(rows[i], flags | mark);
            }
        }
    }

    int rowCount() {
        return rowCount;
    }

    /** The row with the number. */
    long row(int number) {
        return rows[firsts[number]];
    }

    int table(int number) {
        return tables[firsts[number]];
    }

    /** Whether the row existed before the transaction. */
    boolean existedBefore(int number) {
        return kinds[firsts[number]] != ChangeKind.INSERT;
    }

    /**
     * Address of the row's slot as it was before the transaction: the saved one, or the row itself if only its flags
     * changed.
     */
    long slotBefore(int number) {
        int first = firsts[number];
        return kinds[first] == ChangeKind.UPDATE ? payloads[first] : rows[first];
    }

    boolean keyChanged(int number) {
        return (RowLayout.flags(row(number)) & KEY_CHANGED) != 0;
    }

    boolean overwritten(int number) {
        return (RowLayout.flags(row(number)) & OVERWRITTEN) != 0;
    }

    /** Brings bytes of the row's blocks, copied from the address, back to what they were before the transaction. */
    void restoreOverwritten(int number, long address, byte[] copy, int offset, int length) {
        long row = row(number);
        for (int i = 0; i < count; i++) { // newest first, so the oldest has the last word
            if (rows[i] == row && kinds[i] == ChangeKind.BYTES) {
                OverwrittenBytes.restore(payloads[i], address, copy, offset, length);
            }
        }
    }

    /** Forgets everything and takes the marks away. */
    void clear() {
        for (int number = 0; number < rowCount; number++) {
            long row = row(number);
            RowLayout.setFlags(row, RowLayout.flags(row) & ~MARKS);
        }
        count = 0;
        rowCount = 0;
    }
}
