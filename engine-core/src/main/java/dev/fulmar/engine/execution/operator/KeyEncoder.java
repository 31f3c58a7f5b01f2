package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.JsonKeys;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes values as keys for sorting, grouping and joining. Unsigned comparison of the bytes is the order of the rows,
 * and equal bytes are equal values. The buffer is used again for every row.
 */
final class KeyEncoder {
    /** Part of a key. */
    record Part(Evaluator value, boolean unsigned, boolean descending, boolean nullsFirst) {}

    private static final int INITIAL_BYTES = 256;
    /** Most bytes of a part that is not text: the null mark and 16 bytes. */
    private static final int FIXED_PART_BYTES = 17;

    private static final byte VALUE_MARK = 1;

    private final Part[] parts;
    private MemorySegment buffer = Arena.ofAuto().allocate(INITIAL_BYTES, Long.BYTES);
    private long start = buffer.address();
    private long next = start;
    private long end = start + INITIAL_BYTES;
    private boolean hasNull;

    KeyEncoder(List<Part> parts) {
        this.parts = parts.toArray(Part[]::new);
    }

    /** For equality only. */
    static KeyEncoder ofEquality(List<Evaluator> values, List<ColumnType> types) {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            parts.add(new Part(JsonKeys.comparable(values.get(i), types.get(i)), false, false, true));
        }
        return new KeyEncoder(parts);
    }

    static Part sortPart(Evaluator value, ColumnType type, boolean descending, boolean nullsFirst) {
        return new Part(JsonKeys.comparable(value, type), type.kind() == TypeKind.UUID, descending, nullsFirst);
    }

    /** Encodes the current row's key. */
    void encode(Frame frame) {
        begin();
        append(frame);
    }

    /** Starts an empty key. */
    void begin() {
        next = start;
        hasNull = false;
    }

    /** Adds a number before the parts. */
    void appendLong(long value) {
        reserve(FIXED_PART_BYTES);
        putLong(value);
    }

    void append(Frame frame) {
        for (Part part : parts) {
            reserve(FIXED_PART_BYTES);
            long partStart = next;
            next++;
            switch (part.value()) {
                case LongEvaluator value -> putLong(value.evaluate(frame) ^ Long.MIN_VALUE);
                case DoubleEvaluator value -> putLong(ordered(value.evaluate(frame)));
                case WideEvaluator value -> {
                    value.evaluate(frame);
                    putLong(part.unsigned() ? frame.wide.high() : frame.wide.high() ^ Long.MIN_VALUE);
                    putLong(frame.wide.low());
                }
                case BytesEvaluator value -> {
                    value.evaluate(frame);
                    if (!frame.isNull) {
                        putBytes(frame.bytesAddress, frame.bytesLength);
                        partStart = next - partLength;
                    }
                }
            }
            finish(part, partStart, frame.isNull);
        }
    }

    private int partLength;

    private void finish(Part part, long partStart, boolean isNull) {
        if (isNull) {
            hasNull = true;
            next = partStart + 1;
            OffHeap.putByte(partStart, (byte) (part.nullsFirst() ? 0 : 2));
            return;
        }
        OffHeap.putByte(partStart, VALUE_MARK);
        if (part.descending()) {
            for (long i = partStart + 1; i < next; i++) {
                OffHeap.putByte(i, (byte) ~OffHeap.getByte(i));
            }
        }
    }

    private void putLong(long value) {
        OffHeap.putLong(next, Long.reverseBytes(value));
        next += Long.BYTES;
    }

    /** Bits whose unsigned order is the order of the numbers; zeros are equal, NaN is last. */
    private static long ordered(double value) {
        long bits = Double.doubleToLongBits(value == 0 ? 0.0 : value);
        return bits ^ (bits >> 63 | Long.MIN_VALUE);
    }

    /** A zero byte becomes 0 255, the end is 0 0: so a prefix sorts first and no key is the start of another. */
    private void putBytes(long address, int length) {
        reserve(2L * length + 2);
        long from = next - 1;
        for (int i = 0; i < length; i++) {
            byte unit = OffHeap.getByte(address + i);
            OffHeap.putByte(next++, unit);
            if (unit == 0) {
                OffHeap.putByte(next++, (byte) 0xFF);
            }
        }
        OffHeap.putByte(next++, (byte) 0);
        OffHeap.putByte(next++, (byte) 0);
        partLength = (int) (next - from);
    }

    private void reserve(long bytes) {
        if (bytes > end - next) {
            long used = next - start;
            long capacity = Math.max(2 * (end - start), used + bytes);
            MemorySegment larger = Arena.ofAuto().allocate(capacity, Long.BYTES);
            OffHeap.copy(start, larger.address(), used);
            buffer = larger;
            start = buffer.address();
            next = start + used;
            end = start + capacity;
        }
    }

    long address() {
        return start;
    }

    int length() {
        return (int) (next - start);
    }

    /** Whether a part of the last key was null. */
    boolean hasNull() {
        return hasNull;
    }
}
