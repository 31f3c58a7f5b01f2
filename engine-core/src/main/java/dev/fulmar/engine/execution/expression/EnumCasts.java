package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.NativeText;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Enumeration;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/** CAST of labels to texts and back. What a row needs lies in native memory from the start. */
final class EnumCasts {
    private EnumCasts() {}

    /** The labels of codes. */
    static BytesEvaluator toText(LongEvaluator code, Enumeration enumeration) {
        return new Labels(code, enumeration);
    }

    /** The codes of texts that are labels; other texts are errors. */
    static LongEvaluator toCode(Evaluator value, ColumnType from, ColumnType to) {
        if (!(value instanceof BytesEvaluator text) || !from.kind().isCharacter()) {
            throw Casts.impossible(from, to);
        }
        Enumeration enumeration = to.labels();
        return frame -> {
            text.evaluate(frame);
            return frame.isNull ? 0 : enumeration.code(NativeText.decode(frame.bytesAddress, frame.bytesLength));
        };
    }

    /** Keeps its native memory alive by being reachable. */
    private static final class Labels implements BytesEvaluator {
        private final LongEvaluator code;
        private final Enumeration enumeration;
        private final long[] codes;
        private final int[] ends;
        private final MemorySegment texts;

        Labels(LongEvaluator code, Enumeration enumeration) {
            this.code = code;
            this.enumeration = enumeration;
            List<Enumeration.Value> values = enumeration.values();
            codes = values.stream().mapToLong(Enumeration.Value::code).toArray();
            ends = new int[codes.length];
            int end = 0;
            for (int i = 0; i < codes.length; i++) {
                end += enumeration.label(codes[i]).length;
                ends[i] = end;
            }
            texts = Arena.ofAuto().allocate(Math.max(1, end), Long.BYTES);
            for (int i = 0; i < codes.length; i++) {
                byte[] label = enumeration.label(codes[i]);
                OffHeap.copy(label, 0, texts.address() + start(i), label.length);
            }
        }

        private int start(int place) {
            return place == 0 ? 0 : ends[place - 1];
        }

        @Override
        public void evaluate(Frame frame) {
            long sought = code.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            int place = Arrays.binarySearch(codes, sought);
            if (place < 0) {
                enumeration.label(sought); // which says what to do
                return;
            }
            frame.bytesAddress = texts.address() + start(place);
            frame.bytesLength = ends[place] - start(place);
        }
    }
}
