package dev.fulmar.engine.index;

import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.partitioning.BucketMap;
import dev.fulmar.engine.row.CellKind;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.check.Invariants;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A normalised index key under construction: unsigned comparison of its words is comparison in index order. Values are
 * added in the order of the index columns. Reusable, one thread, allocates nothing once it has grown to its size.
 */
public final class SearchKey {
    /** The bucket is not known from the key. */
    public static final int NO_BUCKET = -1;

    private static final long HASH_SEED = 0x9E3779B97F4A7C15L;
    private static final long HASH_FACTOR = 0xD6E8FEB86659FD93L;
    /** Low bits of the last integer that do not change where its hash belongs. */
    private static final long NEIGHBOR_BITS = 3;

    private static final long EVERY_BYTE_TWO = 0x0202020202020202L;
    private static final long EVERY_BYTE_HIGH_BIT = 0x8080808080808080L;

    private final KeyFormat format;
    private final int routingColumn;
    private final BucketMap buckets;
    private long[] words;
    private int bits;
    private int keyBits;
    private int column;
    private int bucket;
    private int saturation;
    private boolean hasNull;
    private boolean paddedWithOnes;

    SearchKey(KeyFormat format, @Nullable KeyRouting routing) {
        this.format = format;
        routingColumn = routing == null ? -1 : routing.keyColumn();
        buckets = routing == null ? BucketMap.UNDIVIDED : routing.buckets();
        words = new long[format.inlineWords() + 2];
        bucket = NO_BUCKET;
    }

    /** Starts anew. */
    public SearchKey reset() {
        bits = 0;
        keyBits = -1;
        column = 0;
        bucket = NO_BUCKET;
        saturation = 0;
        hasNull = false;
        paddedWithOnes = false;
        return this;
    }

    /**
     * Adds a value of a column that holds a long. A value that the column cannot hold matches no row, or bounds the
     * range at its end.
     */
    public SearchKey addLong(long value) {
        int i = column++;
        if (i == routingColumn) {
            bucket = buckets.bucketOf(value);
        }
        boolean descending = format.isDescending(i);
        mark(i, descending);
        switch (format.kind(i)) {
            case INT -> appendInteger(value, Integer.SIZE, descending);
            case LONG -> append(descending ? value ^ Long.MAX_VALUE : value ^ Long.MIN_VALUE, Long.SIZE);
            case SHORT -> appendInteger(value, Short.SIZE, descending);
            case BYTE -> appendInteger(value, Byte.SIZE, descending);
            case FLOAT, DOUBLE, WIDE, BYTES -> throw wrongKind(i);
        }
        return this;
    }

    private void appendInteger(long value, int width, boolean descending) {
        long highest = (1L << (width - 1)) - 1;
        long fitting = value;
        if (value > highest) {
            fitting = highest;
            saturation = descending ? -1 : 1;
        } else if (value < -highest - 1) {
            fitting = -highest - 1;
            saturation = descending ? 1 : -1;
        }
        long normalized = fitting + highest + 1;
        append(descending ? 2 * highest + 1 - normalized : normalized, width);
    }

    public SearchKey addDouble(double value) {
        int i = column++;
        if (i == routingColumn) {
            bucket = buckets.bucketOf(value);
        }
        if (format.kind(i) != CellKind.DOUBLE && format.kind(i) != CellKind.FLOAT) {
            throw wrongKind(i);
        }
        boolean descending = format.isDescending(i);
        mark(i, descending);
        long raw = Double.doubleToLongBits(value == 0 ? 0.0 : value);
        long normalized = raw < 0 ? ~raw : raw ^ Long.MIN_VALUE;
        append(descending ? ~normalized : normalized, Long.SIZE);
        return this;
    }

    public SearchKey addWide(long high, long low) {
        int i = column++;
        if (i == routingColumn) {
            bucket = buckets.bucketOfWide(high, low);
        }
        if (format.kind(i) != CellKind.WIDE) {
            throw wrongKind(i);
        }
        boolean descending = format.isDescending(i);
        mark(i, descending);
        long normalized = format.isUnsignedWide(i) ? high : high ^ Long.MIN_VALUE;
        append(descending ? ~normalized : normalized, Long.SIZE);
        append(descending ? ~low : low, Long.SIZE);
        return this;
    }

    public SearchKey addBytes(byte[] source, int offset, int wholeLength) {
        int i = beginBytes();
        int length = wholeLength - format.bytesBesideValue(i);
        if (i == routingColumn) {
            bucket = buckets.bucketOf(source, offset, length);
        }
        boolean descending = format.isDescending(i);
        makeRoom(length);
        for (int position = 0; position < length; position++) {
            appendEscaped(source[offset + position], descending);
        }
        append(descending ? 0xFF : 0, Byte.SIZE);
        return this;
    }

    /** Adds bytes that lie in native memory. */
    public SearchKey addBytes(long address, int wholeLength) {
        int i = beginBytes();
        int length = wholeLength - format.bytesBesideValue(i);
        if (i == routingColumn) {
            bucket = buckets.bucketOf(address, length);
        }
        boolean descending = format.isDescending(i);
        makeRoom(length);
        int position = 0;
        for (; position <= length - Long.BYTES; position += Long.BYTES) {
            long eight = OffHeap.getLong(address + position);
            if (((eight - EVERY_BYTE_TWO) & ~eight & EVERY_BYTE_HIGH_BIT) == 0) {
                long ordered = Long.reverseBytes(eight);
                append(descending ? ~ordered : ordered, Long.SIZE);
            } else {
                for (int end = position + Long.BYTES, at = position; at < end; at++) {
                    appendEscaped(OffHeap.getByte(address + at), descending);
                }
            }
        }
        for (; position < length; position++) {
            appendEscaped(OffHeap.getByte(address + position), descending);
        }
        append(descending ? 0xFF : 0, Byte.SIZE);
        return this;
    }

    private int beginBytes() {
        int i = column++;
        if (format.kind(i) != CellKind.BYTES) {
            throw wrongKind(i);
        }
        mark(i, format.isDescending(i));
        return i;
    }

    /** 0 becomes 1 1 and 1 becomes 1 2, so that the end, 0, is lower than any byte. */
    private void appendEscaped(byte value, boolean descending) {
        int inverted = descending ? 0xFF : 0;
        if ((value & 0xFE) == 0) {
            append(1 ^ inverted, Byte.SIZE);
            append((value + 1) ^ inverted, Byte.SIZE);
        } else {
            append((value & 0xFF) ^ inverted, Byte.SIZE);
        }
    }

    /**
     * Adds NULL, which in index order is higher than every value. A look-up that must match nothing for null is not to
     * be made.
     */
    public SearchKey addNull() {
        int i = column++;
        Invariants.check(format.isNullable(i), "only nullable columns are null");
        append(format.isDescending(i) ? 0xFF ^ KeyFormat.NULL_MARKER : KeyFormat.NULL_MARKER, KeyFormat.MARKER_BITS);
        hasNull = true;
        return this;
    }

    /** Adds the value of a column of a row or image. */
    public SearchKey addColumn(RowLayout layout, long row, int tableColumn) {
        if (RowLayout.isNull(row, tableColumn)) {
            return addNull();
        }
        return switch (layout.kind(tableColumn)) {
            case BYTE, SHORT, INT, LONG -> addLong(layout.getLong(row, tableColumn));
            case FLOAT, DOUBLE -> addDouble(layout.getDouble(row, tableColumn));
            case WIDE -> addWide(layout.wideHigh(row, tableColumn), layout.wideLow(row, tableColumn));
            case BYTES -> addBytes(layout.bytesAddress(row, tableColumn), layout.bytesLength(row, tableColumn));
        };
    }

    private void mark(int i, boolean descending) {
        if (format.isNullable(i)) {
            append(descending ? 0xFF ^ KeyFormat.NOT_NULL_MARKER : KeyFormat.NOT_NULL_MARKER, KeyFormat.MARKER_BITS);
        }
    }

    /** The marker alone of the next column: it bounds the values that are not null. */
    void addNotNullMarker() {
        mark(column, format.isDescending(column));
    }

    /** Room for so many escaped bytes and the rest of the key. */
    private void makeRoom(int length) {
        int needed = ((bits + 2 * Byte.SIZE * length) >>> 6) + format.inlineWords() + 2 * KeyFormat.MOST_INLINE_WORDS;
        if (needed > words.length) {
            words = Arrays.copyOf(words, Math.max(needed, 2 * words.length));
        }
    }

    /** Appends the low bits of the value; the others are zero. */
    void append(long value, int width) {
        int word = bits >>> 6;
        int free = Long.SIZE - (bits & 63);
        if (word + 1 >= words.length) {
            words = Arrays.copyOf(words, 2 * words.length);
        }
        if (free == Long.SIZE) {
            words[word] = value << (Long.SIZE - width);
        } else if (width <= free) {
            words[word] |= value << (free - width);
        } else {
            words[word] |= value >>> (width - free);
            words[word + 1] = value << (Long.SIZE - width + free);
        }
        bits += width;
    }

    void setFirst(long word, int bitCount, int columnCount) {
        words[0] = word;
        bits = bitCount;
        column = columnCount;
    }

    void setBoth(long first, long second, int bitCount, int columnCount) {
        words[0] = first;
        words[1] = second;
        bits = bitCount;
        column = columnCount;
    }

    /** Ends the key's columns: values that follow only tell rows apart. */
    void endKeyColumns() {
        keyBits = bits;
    }

    /** Fills up the inline words. */
    void pad(boolean withOnes) {
        paddedWithOnes = withOnes;
        int rest = bits & 63;
        int word = bits >>> 6;
        if (rest != 0) {
            long low = ~0L >>> rest;
            words[word] = withOnes ? words[word] | low : words[word] & ~low;
            word++;
        }
        for (; word < format.inlineWords(); word++) {
            words[word] = withOnes ? ~0L : 0;
        }
    }

    /** Takes over another key of the same format. */
    void copyOf(SearchKey other) {
        int count = other.wordCount();
        if (words.length < count + 2) {
            words = new long[other.words.length];
        }
        System.arraycopy(other.words, 0, words, 0, count);
        bits = other.bits;
        keyBits = other.keyBits;
        column = other.column;
        bucket = other.bucket;
        saturation = other.saturation;
        hasNull = other.hasNull;
        paddedWithOnes = other.paddedWithOnes;
    }

    /** Takes over an entry's words; the bits beyond the key were zero in the entry. */
    void setWords(int count) {
        if (words.length < count + 2) {
            words = Arrays.copyOf(words, 2 * count + 2);
        }
        bits = count * Long.SIZE;
        paddedWithOnes = false;
    }

    void setWord(int i, long word) {
        words[i] = word;
    }

    long word(int i) {
        return words[i];
    }

    /** Words that are begun. */
    int wordCount() {
        return (bits + Long.SIZE - 1) >>> 6;
    }

    boolean isPaddedWithOnes() {
        return paddedWithOnes;
    }

    /** Place of the next column to be added. */
    int nextColumn() {
        return column;
    }

    /** Whether a value lay beyond its column's range, and on which side in index order; else 0. */
    int saturation() {
        return saturation;
    }

    /** Whether a value is null. */
    public boolean hasNull() {
        return hasNull;
    }

    /** The bucket that a value named, or {@link #NO_BUCKET}. */
    public int bucket() {
        return bucket;
    }

    /** Bits of the columns that the index names. */
    int keyBits() {
        return keyBits >= 0 ? keyBits : bits;
    }

    /** Whether nothing follows that only tells rows apart. */
    boolean endsWithKeyColumns() {
        return keyBits < 0 || keyBits == bits;
    }

    void cutToKeyColumns() {
        bits = keyBits();
    }

    boolean hasSameKeyColumns(SearchKey other) {
        int same = keyBits();
        if (same != other.keyBits()) {
            return false;
        }
        int whole = same >>> 6;
        for (int i = 0; i < whole; i++) {
            if (words[i] != other.words[i]) {
                return false;
            }
        }
        int rest = same & 63;
        return rest == 0 || (words[whole] ^ other.words[whole]) >>> (Long.SIZE - rest) == 0;
    }

    /** Whether the words in native memory begin with this key's columns; not for keys that spill. */
    boolean isPrefixOf(long address) {
        int same = keyBits();
        int whole = same >>> 6;
        for (int i = 0; i < whole; i++) {
            if (words[i] != OffHeap.getLong(address + (long) i * Long.BYTES)) {
                return false;
            }
        }
        int rest = same & 63;
        return rest == 0
                || (words[whole] ^ OffHeap.getLong(address + (long) whole * Long.BYTES)) >>> (Long.SIZE - rest) == 0;
    }

    /** Whether this key begins with the other's columns. */
    boolean startsWith(SearchKey prefix) {
        int same = prefix.keyBits();
        int whole = same >>> 6;
        for (int i = 0; i < whole; i++) {
            if (wordOrZero(i) != prefix.words[i]) {
                return false;
            }
        }
        int rest = same & 63;
        return rest == 0 || (wordOrZero(whole) ^ prefix.words[whole]) >>> (Long.SIZE - rest) == 0;
    }

    /** Order of two whole keys that are not padded with ones. */
    int compareWhole(SearchKey other) {
        int count = Math.max(wordCount(), other.wordCount());
        for (int i = 0; i < count; i++) {
            long own = wordOrZero(i);
            long its = other.wordOrZero(i);
            if (own != its) {
                return Long.compareUnsigned(own, its);
            }
        }
        return 0;
    }

    /** Whether both are the same key; what tells rows apart included. */
    public boolean isSameAs(SearchKey other) {
        return bits == other.bits && compareWhole(other) == 0;
    }

    private long wordOrZero(int i) {
        return i < wordCount() ? words[i] : 0;
    }

    /** The length of the key in bits, which {@link #readFrom} needs; it takes so many bits in whole words. */
    public int storedBits() {
        return bits;
    }

    /** Bytes that a key of so many bits takes. */
    public static int storedBytes(int bits) {
        return (bits + Long.SIZE - 1) / Long.SIZE * Long.BYTES;
    }

    /** Writes the key's words to native memory. */
    public void writeTo(long address) {
        for (int i = 0; i < wordCount(); i++) {
            OffHeap.putLong(address + (long) i * Long.BYTES, words[i]);
        }
    }

    /** Takes over words that {@link #writeTo} wrote. */
    public void readFrom(long address, int storedBits) {
        reset();
        int count = storedBytes(storedBits) / Long.BYTES;
        setWords(count);
        for (int i = 0; i < count; i++) {
            words[i] = OffHeap.getLong(address + (long) i * Long.BYTES);
        }
        bits = storedBits;
    }

    /**
     * Hash of the whole key; the same on every machine. Keys whose last integer differs in its low bits only have
     * neighbouring hashes: they share all bits but the same low ones, so that rows that come in key order are found and
     * inserted side by side.
     */
    public long hash() {
        int last = wordCount() - 1;
        int shift = -bits & 63;
        long low = format.endsWithInteger() ? NEIGHBOR_BITS : 0;
        long hash = HASH_SEED;
        for (int i = 0; i < last; i++) {
            hash = fold(hash ^ words[i]);
        }
        hash = fold(hash ^ (words[last] & ~(low << shift)));
        return (hash & ~low) | ((words[last] >>> shift) & low);
    }

    private static long fold(long value) {
        return Math.unsignedMultiplyHigh(value, HASH_FACTOR) ^ (value * HASH_FACTOR);
    }

    private RuntimeException wrongKind(int i) {
        return Invariants.breach(
                "key column " + format.column(i) + " of " + format.index().name() + " gets its own type");
    }
}
