package dev.fulmar.pmemlog.checkpoint;

import java.util.Arrays;

/**
 * A row in an entry of the checkpoint log or in a slot of the master heap, with the image as it is stored. Used again
 * for one row after the other.
 */
final class LoggedRow {
    /** Instead of a slot: none. */
    static final long NO_SLOT = -1;

    private static final byte[] NOTHING = {};

    private Kind kind = Kind.REMOVAL;
    private int table;
    private int bucket;
    private long row;
    private long slot = NO_SLOT;
    private long erased = NO_SLOT;
    private byte[] array = NOTHING;
    private int at;
    private int storedBytes;
    private int imageBytes;
    private byte[] packed = NOTHING;
    private byte[] unpacked = NOTHING;

    /** Kinds of entries. */
    enum Kind {
        ROW,
        REMOVAL,
        ROOT
    }

    /** The row that a batch has there, without slots. */
    void take(byte[] batch, int offset) {
        if (ClogEntry.isRemoval(batch, offset)) {
            removal(ClogEntry.table(batch, offset), ClogEntry.bucket(batch, offset), ClogEntry.row(batch, offset));
            return;
        }
        name(Kind.ROW, ClogEntry.table(batch, offset), ClogEntry.bucket(batch, offset), ClogEntry.row(batch, offset));
        image(batch, offset + ClogEntry.HEADER_BYTES, ClogEntry.imageBytes(batch, offset));
    }

    void removal(int newTable, int newBucket, long newRow) {
        name(Kind.REMOVAL, newTable, newBucket, newRow);
        stored(NOTHING, 0, 0, 0);
    }

    /** The root of a checkpoint: what its reader needs before the rows. */
    void root(byte[] image) {
        name(Kind.ROOT, 0, 0, 0);
        image(image, 0, image.length);
    }

    /** Sets the row's identity; it has no slots then. */
    void name(Kind newKind, int newTable, int newBucket, long newRow) {
        kind = newKind;
        table = newTable;
        bucket = newBucket;
        row = newRow;
        slot = NO_SLOT;
        erased = NO_SLOT;
    }

    /** Packs the image, if that makes it smaller. */
    private void image(byte[] source, int offset, int length) {
        int most = ImagePacking.mostBytes(length);
        if (packed.length < most) {
            packed = new byte[most + most / 2];
        }
        int end = ImagePacking.pack(source, offset, length, packed, 0);
        if (end < length) {
            stored(packed, 0, end, length);
        } else {
            stored(source, offset, length, length);
        }
    }

    /** The image as it is stored there: packed if it is smaller than the image. */
    void stored(byte[] newArray, int newAt, int newStoredBytes, int newImageBytes) {
        array = newArray;
        at = newAt;
        storedBytes = newStoredBytes;
        imageBytes = newImageBytes;
    }

    /** Sets the slot that the image goes to, and the slot that is free then. */
    void slots(long newSlot, long newErased) {
        slot = newSlot;
        erased = newErased;
    }

    /**
     * Makes it a row whose image can be read with {@link #image} and {@link #imageOffset}; returns false if that is not
     * possible.
     */
    boolean unpack() {
        if (!isPacked()) {
            return true;
        }
        if (unpacked.length < imageBytes + Long.BYTES) {
            unpacked = Arrays.copyOf(unpacked, imageBytes + imageBytes / 2 + Long.BYTES);
        }
        int end = ImagePacking.unpack(array, at, unpacked, imageBytes);
        boolean isWhole = end == at + storedBytes;
        stored(unpacked, 0, imageBytes, imageBytes);
        return isWhole;
    }

    boolean isPacked() {
        return storedBytes < imageBytes;
    }

    /** Memory of the image as it is stored, from {@link #imageOffset} on. */
    byte[] image() {
        return array;
    }

    int imageOffset() {
        return at;
    }

    int storedBytes() {
        return storedBytes;
    }

    int imageBytes() {
        return imageBytes;
    }

    Kind kind() {
        return kind;
    }

    boolean isRoot() {
        return kind == Kind.ROOT;
    }

    boolean isRemoval() {
        return kind == Kind.REMOVAL;
    }

    int table() {
        return table;
    }

    int bucket() {
        return bucket;
    }

    long row() {
        return row;
    }

    long slot() {
        return slot;
    }

    long erased() {
        return erased;
    }
}
