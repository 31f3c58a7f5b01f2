package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.NativeText;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Locale;

/** Functions on text, on its UTF-8 bytes. */
final class TextFunctions {
    private TextFunctions() {}

    static BytesEvaluator concat(List<BytesEvaluator> arguments) {
        BytesEvaluator[] parts = arguments.toArray(BytesEvaluator[]::new);
        return frame -> {
            long[] addresses = new long[parts.length];
            int[] lengths = new int[parts.length];
            long total = 0;
            for (int i = 0; i < parts.length; i++) {
                parts[i].evaluate(frame);
                if (frame.isNull) {
                    return;
                }
                addresses[i] = frame.bytesAddress;
                lengths[i] = frame.bytesLength;
                total += frame.bytesLength;
            }
            copy(frame, addresses, lengths, parts.length, total);
        };
    }

    /** The texts that are not null, with the separator between two of them. */
    static BytesEvaluator concatKnown(BytesEvaluator separator, List<BytesEvaluator> arguments) {
        BytesEvaluator[] texts = arguments.toArray(BytesEvaluator[]::new);
        return frame -> {
            separator.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            long betweenAddress = frame.bytesAddress;
            int betweenLength = frame.bytesLength;
            long[] addresses = new long[2 * texts.length];
            int[] lengths = new int[2 * texts.length];
            int count = 0;
            long total = 0;
            for (BytesEvaluator text : texts) {
                text.evaluate(frame);
                if (!frame.isNull) {
                    if (count > 0) {
                        addresses[count] = betweenAddress;
                        lengths[count++] = betweenLength;
                        total += betweenLength;
                    }
                    addresses[count] = frame.bytesAddress;
                    lengths[count++] = frame.bytesLength;
                    total += frame.bytesLength;
                }
            }
            copy(frame, addresses, lengths, count, total);
        };
    }

    private static void copy(Frame frame, long[] addresses, int[] lengths, int count, long total) {
        int length = checkedLength(total);
        long target = frame.temporary.allocate(length);
        long position = target;
        for (int i = 0; i < count; i++) {
            OffHeap.copy(addresses[i], position, lengths[i]);
            position += lengths[i];
        }
        Results.bytes(frame, target, length);
    }

    private static int checkedLength(long length) {
        if (length > Integer.MAX_VALUE) {
            throw new FulmarException(
                    ErrorCode.STRING_TOO_LONG, "a text of " + length + " bytes is too long; make it shorter");
        }
        return (int) length;
    }

    /** From a character position, counted from 1; what lies outside the text is left out. */
    static BytesEvaluator substring(BytesEvaluator text, LongEvaluator from) {
        return frame -> {
            long start = from.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            text.evaluate(frame);
            if (!frame.isNull) {
                slice(frame, start, Long.MAX_VALUE);
            }
        };
    }

    static BytesEvaluator substring(BytesEvaluator text, LongEvaluator from, LongEvaluator length) {
        return frame -> {
            long start = from.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            long count = length.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            if (count < 0) {
                throw new FulmarException(
                        ErrorCode.SUBSTRING_ERROR,
                        "the length of SUBSTRING is negative: " + count + "; pass 0 or more");
            }
            text.evaluate(frame);
            if (!frame.isNull) {
                long end = start + count;
                slice(frame, start, start > 0 && end < start ? Long.MAX_VALUE : end);
            }
        };
    }

    /** @param end first position left out */
    private static void slice(Frame frame, long start, long end) {
        long address = frame.bytesAddress;
        int length = frame.bytesLength;
        long first = Math.max(1, start);
        int begin = NativeText.prefixBytes(address, length, first - 1);
        frame.bytesAddress = address + begin;
        frame.bytesLength = end <= first ? 0 : NativeText.prefixBytes(address + begin, length - begin, end - first);
    }

    static BytesEvaluator upper(BytesEvaluator text) {
        return changeCase(text, 'a', true);
    }

    static BytesEvaluator lower(BytesEvaluator text) {
        return changeCase(text, 'A', false);
    }

    private static BytesEvaluator changeCase(BytesEvaluator text, char first, boolean upper) {
        return frame -> {
            text.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            long source = frame.bytesAddress;
            int length = frame.bytesLength;
            if (!NativeText.isAscii(source, length)) {
                String decoded = NativeText.decode(source, length);
                Results.text(frame, upper ? decoded.toUpperCase(Locale.ROOT) : decoded.toLowerCase(Locale.ROOT));
                return;
            }
            long target = frame.temporary.allocate(length);
            for (int i = 0; i < length; i++) {
                byte unit = OffHeap.getByte(source + i);
                boolean changes = unit >= first && unit < first + 26;
                OffHeap.putByte(target + i, changes ? (byte) (unit ^ 0x20) : unit);
            }
            Results.bytes(frame, target, length);
        };
    }

    static LongEvaluator characterLength(BytesEvaluator text) {
        return frame -> {
            text.evaluate(frame);
            return frame.isNull ? 0 : NativeText.characters(frame.bytesAddress, frame.bytesLength);
        };
    }

    static LongEvaluator octetLength(BytesEvaluator text) {
        return frame -> {
            text.evaluate(frame);
            return frame.bytesLength;
        };
    }

    static LongEvaluator position(BytesEvaluator search, BytesEvaluator text) {
        return frame -> {
            search.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            long sought = frame.bytesAddress;
            int soughtLength = frame.bytesLength;
            text.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            int found = NativeText.indexOf(frame.bytesAddress, frame.bytesLength, 0, sought, soughtLength);
            return found < 0 ? 0 : NativeText.characters(frame.bytesAddress, found) + 1L;
        };
    }

    static BytesEvaluator replace(BytesEvaluator text, BytesEvaluator search, BytesEvaluator replacement) {
        return frame -> {
            search.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            long sought = frame.bytesAddress;
            int soughtLength = frame.bytesLength;
            replacement.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            long inserted = frame.bytesAddress;
            int insertedLength = frame.bytesLength;
            text.evaluate(frame);
            if (!frame.isNull && soughtLength > 0) {
                replaceAll(frame, sought, soughtLength, inserted, insertedLength);
            }
        };
    }

    private static void replaceAll(Frame frame, long sought, int soughtLength, long inserted, int insertedLength) {
        long source = frame.bytesAddress;
        int length = frame.bytesLength;
        long hits = 0;
        int at = NativeText.indexOf(source, length, 0, sought, soughtLength);
        for (; at >= 0; at = NativeText.indexOf(source, length, at + soughtLength, sought, soughtLength)) {
            hits++;
        }
        if (hits == 0) {
            return;
        }
        int total = checkedLength(length + hits * (insertedLength - soughtLength));
        long target = frame.temporary.allocate(total);
        long position = target;
        int from = 0;
        at = NativeText.indexOf(source, length, 0, sought, soughtLength);
        for (; at >= 0; at = NativeText.indexOf(source, length, from, sought, soughtLength)) {
            OffHeap.copy(source + from, position, at - from);
            position += at - from;
            OffHeap.copy(inserted, position, insertedLength);
            position += insertedLength;
            from = at + soughtLength;
        }
        OffHeap.copy(source + from, position, length - from);
        Results.bytes(frame, target, total);
    }

    /** Strips any of the characters from the ends. */
    static BytesEvaluator trim(BytesEvaluator text, BytesEvaluator characters, boolean leading, boolean trailing) {
        return frame -> {
            characters.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            long set = frame.bytesAddress;
            int setLength = frame.bytesLength;
            text.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            long address = frame.bytesAddress;
            int begin = 0;
            int end = frame.bytesLength;
            while (leading && begin < end) {
                int next = begin + 1;
                while (next < end && !NativeText.startsCharacter(OffHeap.getByte(address + next))) {
                    next++;
                }
                if (!contains(set, setLength, address + begin, next - begin)) {
                    break;
                }
                begin = next;
            }
            while (trailing && begin < end) {
                int last = end - 1;
                while (last > begin && !NativeText.startsCharacter(OffHeap.getByte(address + last))) {
                    last--;
                }
                if (!contains(set, setLength, address + last, end - last)) {
                    break;
                }
                end = last;
            }
            Results.bytes(frame, address + begin, end - begin);
        };
    }

    private static boolean contains(long set, int setLength, long character, int characterLength) {
        return NativeText.indexOf(set, setLength, 0, character, characterLength) >= 0;
    }
}
