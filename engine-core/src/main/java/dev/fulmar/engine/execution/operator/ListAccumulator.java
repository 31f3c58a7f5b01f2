package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.Nulls;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.execution.value.NativeText;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/**
 * STRING_AGG, MODE and the percentiles: keeps the group's values, which {@link GroupedLists} sorts before the result is
 * asked for.
 *
 * <p>Invariant: the key of an entry tells all that the result can depend on, so the order in which rows come has no
 * influence on it.
 *
 * <p>A state is the number of entries, the address of the last one, and a word of the function: the length of the text
 * so far, or the fraction. A finished state has the result there. An entry has the address of the one before, the
 * lengths of the three parts, and the parts: key, value, separator.
 *
 * @param argument the value
 * @param beside the separator or the fraction; null for MODE
 */
record ListAccumulator(
        AggregateFunction function,
        KeyEncoder key,
        Evaluator argument,
        @Nullable Evaluator beside,
        ColumnType type,
        ScratchMemory memory)
        implements KeptValues {
    static final int KEY_LENGTH = 8;
    private static final int VALUE_LENGTH = 12;
    private static final int BESIDE_LENGTH = 16;
    static final int PARTS = 24;
    private static final int MOST_CHARACTERS = 1 << 20;
    private static final int MOST_BYTES_OF_CHARACTER = 4;

    /** A fraction that is null; no arithmetic makes this NaN. */
    private static final long NULL_FRACTION = 0x7ff8_0000_0000_0abcL;

    @Override
    public void add(Frame frame, long state) {
        long number = Accumulators.evaluate(argument, frame);
        if (frame.isNull) {
            return;
        }
        long high = frame.wide.high();
        long low = frame.wide.low();
        long bytes = frame.bytesAddress;
        int length = valueLength(frame);
        int besideLength = besideLength(frame, state, length);
        long besideBytes = frame.bytesAddress;
        key.encode(frame);
        long entry = memory.allocate(PARTS + (long) key.length() + length + besideLength);
        OffHeap.putLong(entry, OffHeap.getLong(state + Accumulators.FIRST));
        OffHeap.putInt(entry + KEY_LENGTH, key.length());
        OffHeap.putInt(entry + VALUE_LENGTH, length);
        OffHeap.putInt(entry + BESIDE_LENGTH, besideLength);
        OffHeap.copy(key.address(), entry + PARTS, key.length());
        long value = value(entry);
        switch (argument) {
            case LongEvaluator ignored -> OffHeap.putLong(value, number);
            case DoubleEvaluator ignored -> OffHeap.putLong(value, number);
            case WideEvaluator ignored -> {
                OffHeap.putLong(value, high);
                OffHeap.putLong(value + Long.BYTES, low);
            }
            case BytesEvaluator ignored -> OffHeap.copy(bytes, value, length);
        }
        OffHeap.copy(besideBytes, value + length, besideLength);
        OffHeap.putLong(state + Accumulators.FIRST, entry);
        OffHeap.putLong(state, OffHeap.getLong(state) + 1);
    }

    private int valueLength(Frame frame) {
        return switch (argument) {
            case LongEvaluator ignored -> Long.BYTES;
            case DoubleEvaluator ignored -> Double.BYTES;
            case WideEvaluator ignored -> 2 * Long.BYTES;
            case BytesEvaluator ignored -> frame.bytesLength;
        };
    }

    /** Evaluates the separator, whose bytes stay in the frame, or notes the fraction. */
    private int besideLength(Frame frame, long state, int valueLength) {
        long word = state + Accumulators.SECOND;
        if (function == AggregateFunction.STRING_AGG) {
            int length = separatorLength(frame);
            long total = OffHeap.getLong(word) + valueLength + length;
            if (total > (long) MOST_CHARACTERS * MOST_BYTES_OF_CHARACTER) {
                throw tooLong(total, "bytes");
            }
            OffHeap.putLong(word, total);
            return length;
        }
        if (beside instanceof DoubleEvaluator fraction) {
            double value = fraction.evaluate(frame);
            OffHeap.putLong(word, frame.isNull ? NULL_FRACTION : Double.doubleToLongBits(value));
        }
        return 0;
    }

    /** A separator that is null, of whatever type, is none. */
    private int separatorLength(Frame frame) {
        if (!(beside instanceof BytesEvaluator separator)) {
            return 0;
        }
        separator.evaluate(frame);
        return frame.isNull ? 0 : frame.bytesLength;
    }

    private static FulmarException tooLong(long length, String unit) {
        return new FulmarException(
                ErrorCode.STRING_TOO_LONG,
                "STRING_AGG makes a value of " + length + " " + unit + ", and " + MOST_CHARACTERS
                        + " characters is the limit; aggregate fewer rows, or cut the values");
    }

    /** Whether an entry is behind another one. */
    static boolean isAfter(long entry, long other) {
        return OffHeap.compare(
                        entry + PARTS,
                        OffHeap.getInt(entry + KEY_LENGTH),
                        other + PARTS,
                        OffHeap.getInt(other + KEY_LENGTH))
                > 0;
    }

    private static long value(long entry) {
        return entry + PARTS + OffHeap.getInt(entry + KEY_LENGTH);
    }

    @Override
    public void gather(long state, AddressList entries) {
        gatherFrom(state, entries);
    }

    static void gatherFrom(long state, AddressList entries) {
        long entry = OffHeap.getLong(state + Accumulators.FIRST);
        while (entry != 0) {
            entries.add(entry);
            entry = OffHeap.getLong(entry);
        }
    }

    @Override
    public boolean finish(long state, AddressList entries, Frame frame) {
        if (Invariants.EXPENSIVE) {
            Invariants.check(entries.size() == OffHeap.getLong(state), "a list has all of its values");
        }
        if (entries.size() == 0) {
            return true;
        }
        switch (function) {
            case STRING_AGG -> join(state, entries);
            case MODE -> OffHeap.putLong(state + Accumulators.FIRST, mostFrequent(entries));
            case PERCENTILE_CONT, PERCENTILE_DISC -> choose(state, entries);
            default -> throw Invariants.breach(function + " is of a list");
        }
        return true;
    }

    private void join(long state, AddressList entries) {
        long room = OffHeap.getLong(state + Accumulators.SECOND);
        long text = memory.allocate(Math.max(1, room));
        int length = 0;
        for (int i = 0; i < entries.size(); i++) {
            long entry = entries.get(i);
            int valueLength = OffHeap.getInt(entry + VALUE_LENGTH);
            int besideLength = OffHeap.getInt(entry + BESIDE_LENGTH);
            long value = value(entry);
            Invariants.check(length + valueLength + besideLength <= room, "a text has room for all of its parts");
            if (i > 0) {
                OffHeap.copy(value + valueLength, text + length, besideLength);
                length += besideLength;
            }
            OffHeap.copy(value, text + length, valueLength);
            length += valueLength;
        }
        if (length > MOST_CHARACTERS) {
            boolean isText = type.kind() != TypeKind.VARBINARY && !type.isArray();
            int units = isText ? NativeText.characters(text, length) : length;
            if (units > MOST_CHARACTERS) {
                throw tooLong(units, isText ? "characters" : "bytes");
            }
        }
        OffHeap.putLong(state + Accumulators.FIRST, text);
        OffHeap.putLong(state + Accumulators.SECOND, length);
    }

    /** The first entry of the longest run of equal ones. */
    private static long mostFrequent(AddressList entries) {
        long best = entries.get(0);
        int most = 0;
        int from = 0;
        for (int i = 1; i <= entries.size(); i++) {
            if (i == entries.size() || isAfter(entries.get(i), entries.get(from))) {
                if (i - from > most) {
                    most = i - from;
                    best = entries.get(from);
                }
                from = i;
            }
        }
        return best;
    }

    private void choose(long state, AddressList entries) {
        long bits = OffHeap.getLong(state + Accumulators.SECOND);
        if (bits == NULL_FRACTION) {
            OffHeap.putLong(state, 0);
            return;
        }
        double fraction = Double.longBitsToDouble(bits);
        if (!(fraction >= 0 && fraction <= 1)) {
            throw new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE,
                    function + " takes a fraction between 0 and 1, not " + fraction + "; divide a percentage by 100");
        }
        int size = entries.size();
        if (function == AggregateFunction.PERCENTILE_DISC) {
            int row = (int) Math.max(1, Math.ceil(fraction * size));
            OffHeap.putLong(state + Accumulators.FIRST, entries.get(row - 1));
            return;
        }
        double place = fraction * (size - 1);
        int below = (int) Math.floor(place);
        int above = (int) Math.ceil(place);
        double low = OffHeap.getDouble(value(entries.get(below)));
        double high = OffHeap.getDouble(value(entries.get(above)));
        double result = below == above ? low : low + (high - low) * (place - below);
        OffHeap.putDouble(state + Accumulators.FIRST, result);
    }

    @Override
    public Evaluator result(int source, int offset) {
        return Nulls.unless(finished(source, offset), frame -> Accumulators.count(frame, source, offset) == 0);
    }

    private Evaluator finished(int source, int offset) {
        int word = offset + Accumulators.FIRST;
        if (function == AggregateFunction.STRING_AGG) {
            return (BytesEvaluator) frame -> {
                frame.isNull = false;
                frame.bytesAddress = OffHeap.getLong(frame.rows[source] + word);
                frame.bytesLength = (int) OffHeap.getLong(frame.rows[source] + offset + Accumulators.SECOND);
            };
        }
        if (function == AggregateFunction.PERCENTILE_CONT) {
            return (DoubleEvaluator) frame -> {
                frame.isNull = false;
                return OffHeap.getDouble(frame.rows[source] + word);
            };
        }
        return chosen(source, word);
    }

    /** The value of the entry that was chosen. */
    private Evaluator chosen(int source, int word) {
        return switch (argument) {
            case LongEvaluator ignored ->
                (LongEvaluator) frame -> {
                    frame.isNull = false;
                    return OffHeap.getLong(value(OffHeap.getLong(frame.rows[source] + word)));
                };
            case DoubleEvaluator ignored ->
                (DoubleEvaluator) frame -> {
                    frame.isNull = false;
                    return OffHeap.getDouble(value(OffHeap.getLong(frame.rows[source] + word)));
                };
            case WideEvaluator ignored ->
                (WideEvaluator) frame -> {
                    frame.isNull = false;
                    long value = value(OffHeap.getLong(frame.rows[source] + word));
                    frame.wide.set(OffHeap.getLong(value), OffHeap.getLong(value + Long.BYTES));
                };
            case BytesEvaluator ignored ->
                (BytesEvaluator) frame -> {
                    frame.isNull = false;
                    long entry = OffHeap.getLong(frame.rows[source] + word);
                    frame.bytesAddress = value(entry);
                    frame.bytesLength = OffHeap.getInt(entry + VALUE_LENGTH);
                };
        };
    }
}
