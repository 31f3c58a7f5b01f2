package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.NativeText;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Locale;

/** Functions on text that are rare enough to be computed on the heap. */
final class MoreTextFunctions {
    /** Longer results would serve to exhaust memory only. */
    private static final int MOST_CHARACTERS = 1 << 20;

    private MoreTextFunctions() {}

    private static String decoded(Frame frame) {
        return NativeText.decode(frame.bytesAddress, frame.bytesLength);
    }

    private static int checked(long characters) {
        if (characters > MOST_CHARACTERS) {
            throw new FulmarException(
                    ErrorCode.STRING_TOO_LONG,
                    "a text of " + characters + " characters is longer than " + MOST_CHARACTERS + "; make it shorter");
        }
        return (int) Math.max(0, characters);
    }

    /** Fills on one side, or cuts at the end. */
    static BytesEvaluator pad(BytesEvaluator text, LongEvaluator length, BytesEvaluator filler, boolean left) {
        return frame -> {
            long wanted = length.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            int characters = checked(wanted);
            filler.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            int[] fill = decoded(frame).codePoints().toArray();
            text.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            int[] known = decoded(frame).codePoints().toArray();
            StringBuilder padded = new StringBuilder();
            int missing = fill.length == 0 ? 0 : Math.max(0, characters - known.length);
            int kept = Math.min(characters, known.length);
            for (int i = 0; left && i < missing; i++) {
                padded.appendCodePoint(fill[i % fill.length]);
            }
            for (int i = 0; i < kept; i++) {
                padded.appendCodePoint(known[i]);
            }
            for (int i = 0; !left && i < missing; i++) {
                padded.appendCodePoint(fill[i % fill.length]);
            }
            Results.text(frame, padded.toString());
        };
    }

    static BytesEvaluator repeat(BytesEvaluator text, LongEvaluator times) {
        return frame -> {
            long count = times.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            text.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            String part = decoded(frame);
            boolean nothing = count <= 0 || part.isEmpty();
            if (!nothing) {
                checked(count > MOST_CHARACTERS ? count : count * part.length());
            }
            Results.text(frame, nothing ? "" : part.repeat((int) count));
        };
    }

    static BytesEvaluator reverse(BytesEvaluator text) {
        return frame -> {
            text.evaluate(frame);
            if (!frame.isNull) {
                Results.text(frame, new StringBuilder(decoded(frame)).reverse().toString());
            }
        };
    }

    static BytesEvaluator initialCapitals(BytesEvaluator text) {
        return frame -> {
            text.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            StringBuilder capitals = new StringBuilder();
            boolean within = false;
            for (int point : decoded(frame).codePoints().toArray()) {
                String character = Character.toString(point);
                capitals.append(within ? character.toLowerCase(Locale.ROOT) : character.toUpperCase(Locale.ROOT));
                within = Character.isLetterOrDigit(point);
            }
            Results.text(frame, capitals.toString());
        };
    }

    static LongEvaluator codePoint(BytesEvaluator text) {
        return frame -> {
            text.evaluate(frame);
            if (frame.isNull || frame.bytesLength == 0) {
                return 0;
            }
            return decoded(frame).codePointAt(0);
        };
    }

    static BytesEvaluator character(LongEvaluator code) {
        return frame -> {
            long point = code.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            boolean surrogate = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
            if (point <= 0 || point > Character.MAX_CODE_POINT || surrogate) {
                throw new FulmarException(
                        ErrorCode.VALUE_OUT_OF_RANGE, point + " is the code of no character; pass 1 to 1114111");
            }
            Results.text(frame, Character.toString((int) point));
        };
    }

    /** Characters without a counterpart are left out. */
    static BytesEvaluator translate(BytesEvaluator text, BytesEvaluator from, BytesEvaluator to) {
        return frame -> {
            from.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            int[] sought = decoded(frame).codePoints().toArray();
            to.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            int[] replacements = decoded(frame).codePoints().toArray();
            text.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            StringBuilder translated = new StringBuilder();
            decoded(frame).codePoints().forEach(point -> {
                int place = 0;
                while (place < sought.length && sought[place] != point) {
                    place++;
                }
                if (place == sought.length) {
                    translated.appendCodePoint(point);
                } else if (place < replacements.length) {
                    translated.appendCodePoint(replacements[place]);
                }
            });
            Results.text(frame, translated.toString());
        };
    }
}
