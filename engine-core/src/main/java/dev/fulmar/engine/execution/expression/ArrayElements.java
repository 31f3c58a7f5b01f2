package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.data.ArrayBytes;
import dev.fulmar.foundation.data.ArrayReader;
import dev.fulmar.foundation.data.ArrayWriter;
import dev.fulmar.foundation.data.ColumnType;
import java.util.List;

/** Arrays that are made of values, and values that are elements of arrays. */
final class ArrayElements {
    private ArrayElements() {}

    /** The array of the values, which are of the type of its elements; NULL is an element too. */
    static BytesEvaluator made(List<Evaluator> values, ColumnType element) {
        Evaluator[] elements = values.toArray(Evaluator[]::new);
        ArrayWriter writer = new ArrayWriter(element);
        return frame -> {
            writer.begin();
            for (Evaluator value : elements) {
                add(writer, value, frame);
            }
            store(frame, writer.toByteArray());
        };
    }

    /** Evaluates the value and adds it. */
    static void add(ArrayWriter writer, Evaluator value, Frame frame) {
        switch (value) {
            case LongEvaluator number -> {
                long element = number.evaluate(frame);
                if (!frame.isNull) {
                    writer.addLong(element);
                }
            }
            case DoubleEvaluator number -> {
                double element = number.evaluate(frame);
                if (!frame.isNull) {
                    writer.addDouble(element);
                }
            }
            case WideEvaluator wide -> {
                wide.evaluate(frame);
                if (!frame.isNull) {
                    writer.addWide(frame.wide.high(), frame.wide.low());
                }
            }
            case BytesEvaluator bytes -> {
                bytes.evaluate(frame);
                if (!frame.isNull) {
                    byte[] text = loaded(frame);
                    writer.addText(text, 0, text.length);
                }
            }
        }
        if (frame.isNull) {
            writer.addNull();
        }
    }

    /** The element with the number, from 1 on; null where there is none. */
    static Evaluator at(BytesEvaluator array, LongEvaluator number, ColumnType element) {
        ArrayReader reader = new ArrayReader(element);
        LongEvaluator find = frame -> {
            long wanted = number.evaluate(frame);
            if (!frame.isNull) {
                array.evaluate(frame);
            }
            if (!frame.isNull) {
                frame.isNull = !find(reader, loaded(frame), wanted) || reader.isNull();
            }
            return 0;
        };
        return switch (element.storage()) {
            case LONG ->
                (LongEvaluator) frame -> {
                    find.evaluate(frame);
                    return frame.isNull ? 0 : reader.getLong();
                };
            case DOUBLE ->
                (DoubleEvaluator) frame -> {
                    find.evaluate(frame);
                    return frame.isNull ? 0 : reader.getDouble();
                };
            case WIDE ->
                (WideEvaluator) frame -> {
                    find.evaluate(frame);
                    if (!frame.isNull) {
                        frame.wide.set(reader.high(), reader.low());
                    }
                };
            case BYTES ->
                (BytesEvaluator) frame -> {
                    find.evaluate(frame);
                    if (!frame.isNull) {
                        store(frame, reader.text());
                    }
                };
        };
    }

    private static boolean find(ArrayReader reader, byte[] array, long wanted) {
        reader.wrap(array, 0, array.length);
        boolean isThere = wanted > 0;
        for (long i = 0; i < wanted && isThere; i++) {
            isThere = reader.next();
        }
        return isThere;
    }

    /** The elements at which a reader stands, as values. */
    static Evaluator current(ArrayReader reader, ColumnType element) {
        return switch (element.storage()) {
            case LONG ->
                (LongEvaluator) frame -> {
                    frame.isNull = reader.isNull();
                    return frame.isNull ? 0 : reader.getLong();
                };
            case DOUBLE ->
                (DoubleEvaluator) frame -> {
                    frame.isNull = reader.isNull();
                    return frame.isNull ? 0 : reader.getDouble();
                };
            case WIDE ->
                (WideEvaluator) frame -> {
                    frame.isNull = reader.isNull();
                    if (!frame.isNull) {
                        frame.wide.set(reader.high(), reader.low());
                    }
                };
            case BYTES ->
                (BytesEvaluator) frame -> {
                    frame.isNull = reader.isNull();
                    if (!frame.isNull) {
                        store(frame, reader.text());
                    }
                };
        };
    }

    /** The elements of both arrays; of one alone where the other one is null. */
    static BytesEvaluator joined(BytesEvaluator left, BytesEvaluator right) {
        return frame -> {
            left.evaluate(frame);
            byte[] first = frame.isNull ? null : loaded(frame);
            right.evaluate(frame);
            if (first == null) {
                return;
            }
            store(frame, frame.isNull ? first : ArrayBytes.joined(first, loaded(frame)));
        };
    }

    /** A copy of the bytes that were evaluated last. */
    static byte[] loaded(Frame frame) {
        byte[] bytes = new byte[frame.bytesLength];
        OffHeap.copy(frame.bytesAddress, bytes, 0, bytes.length);
        return bytes;
    }

    static void store(Frame frame, byte[] bytes) {
        long target = frame.temporary.allocate(Math.max(1, bytes.length));
        OffHeap.copy(bytes, 0, target, bytes.length);
        Results.bytes(frame, target, bytes.length);
    }
}
