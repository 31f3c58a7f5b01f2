package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.NativeText;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/** LIKE: % stands for any characters, _ for one. Time is at most text length times pattern length. */
final class Like {
    private static final int NO_ESCAPE = -1;

    private Like() {}

    static LongEvaluator compile(BytesEvaluator text, BytesEvaluator pattern, @Nullable BytesEvaluator escape) {
        return frame -> {
            int escapeUnit = NO_ESCAPE;
            if (escape != null) {
                escape.evaluate(frame);
                if (frame.isNull) {
                    return 0;
                }
                escapeUnit = escapeUnit(frame);
            }
            pattern.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            long patternAddress = frame.bytesAddress;
            int patternLength = frame.bytesLength;
            text.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            return matches(frame.bytesAddress, frame.bytesLength, patternAddress, patternLength, escapeUnit) ? 1 : 0;
        };
    }

    private static int escapeUnit(Frame frame) {
        if (frame.bytesLength == 0) {
            return NO_ESCAPE;
        }
        byte unit = OffHeap.getByte(frame.bytesAddress);
        if (frame.bytesLength != 1 || unit < 0) {
            throw new FulmarException(
                    ErrorCode.INVALID_TEXT,
                    "the ESCAPE of LIKE is one ASCII character; choose another, for example '!'");
        }
        return unit;
    }

    /** Greedy with one point to return to: the last % that was met. */
    static boolean matches(long text, int textLength, long pattern, int patternLength, int escape) {
        int t = 0;
        int p = 0;
        int returnPattern = -1;
        int returnText = 0;
        while (true) {
            int unit = p < patternLength ? OffHeap.getByte(pattern + p) & 0xFF : -1;
            boolean literal = unit >= 0 && unit == escape;
            if (literal) {
                unit = escaped(pattern, patternLength, p, escape);
            }
            int width = literal ? 2 : 1;
            if (unit == '%' && !literal) {
                returnPattern = ++p;
                returnText = t;
            } else if (unit == '_' && !literal && t < textLength) {
                t = nextCharacter(text, textLength, t);
                p++;
            } else if (unit >= 0
                    && (literal || unit != '_')
                    && t < textLength
                    && (OffHeap.getByte(text + t) & 0xFF) == unit) {
                t++;
                p += width;
            } else if (unit < 0 && t == textLength) {
                return true;
            } else if (returnPattern < 0 || returnText >= textLength) {
                return false;
            } else {
                returnText = nextCharacter(text, textLength, returnText);
                t = returnText;
                p = returnPattern;
            }
        }
    }

    private static int escaped(long pattern, int patternLength, int position, int escape) {
        int unit = position + 1 < patternLength ? OffHeap.getByte(pattern + position + 1) & 0xFF : -1;
        if (unit != '%' && unit != '_' && unit != escape) {
            throw new FulmarException(
                    ErrorCode.INVALID_TEXT,
                    "in a LIKE pattern the escape character stands before %, _ or itself only; write it twice to mean itself");
        }
        return unit;
    }

    private static int nextCharacter(long text, int length, int position) {
        int next = position + 1;
        while (next < length && !NativeText.startsCharacter(OffHeap.getByte(text + next))) {
            next++;
        }
        return next;
    }
}
