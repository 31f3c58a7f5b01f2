package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.NativeText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Arrays as PostgreSQL writes them: {@code {1,2,"a b"}}, whose elements count from 1, and vectors of numbers, {@code 1
 * 2}, whose elements count from 0.
 */
final class ArrayText {
    private ArrayText() {}

    /** The element, or null where there is none. */
    static BytesEvaluator element(BytesEvaluator array, LongEvaluator number) {
        return frame -> {
            long wanted = number.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            array.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            String text = decoded(frame);
            List<@Nullable String> elements = elements(text);
            long place = isVector(text) ? wanted : wanted - 1;
            String element = place >= 0 && place < elements.size() ? elements.get((int) place) : null;
            if (element == null) {
                frame.isNull = true;
            } else {
                Results.text(frame, element);
            }
        };
    }

    static LongEvaluator hasElement(BytesEvaluator array, BytesEvaluator element) {
        return frame -> {
            element.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            String wanted = decoded(frame);
            array.evaluate(frame);
            return !frame.isNull && elements(decoded(frame)).contains(wanted) ? 1 : 0;
        };
    }

    static LongEvaluator count(BytesEvaluator array) {
        return frame -> {
            array.evaluate(frame);
            return frame.isNull ? 0 : elements(decoded(frame)).size();
        };
    }

    static BytesEvaluator join(BytesEvaluator array, BytesEvaluator between) {
        return frame -> {
            between.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            String separator = decoded(frame);
            array.evaluate(frame);
            if (!frame.isNull) {
                List<@Nullable String> elements = elements(decoded(frame));
                Results.text(frame, elements.stream().filter(Objects::nonNull).collect(Collectors.joining(separator)));
            }
        };
    }

    private static String decoded(Frame frame) {
        return NativeText.decode(frame.bytesAddress, frame.bytesLength);
    }

    private static boolean isVector(String text) {
        return !text.startsWith("{");
    }

    static List<@Nullable String> elements(String text) {
        if (isVector(text)) {
            return text.isBlank() ? List.of() : Arrays.asList(text.strip().split(" +", -1));
        }
        List<@Nullable String> elements = new ArrayList<>();
        StringBuilder element = new StringBuilder();
        boolean isQuoted = false;
        boolean wasQuoted = false;
        int end = text.endsWith("}") ? text.length() - 1 : text.length();
        for (int i = 1; i < end; i++) {
            char character = text.charAt(i);
            if (character == '\\' && i + 1 < end) {
                element.append(text.charAt(++i));
            } else if (character == '"') {
                isQuoted = !isQuoted;
                wasQuoted = true;
            } else if (character == ',' && !isQuoted) {
                elements.add(value(element, wasQuoted));
                element.setLength(0);
                wasQuoted = false;
            } else {
                element.append(character);
            }
        }
        if (end > 1) {
            elements.add(value(element, wasQuoted));
        }
        return elements;
    }

    private static @Nullable String value(StringBuilder element, boolean wasQuoted) {
        String text = element.toString();
        return !wasQuoted && text.equalsIgnoreCase("NULL") ? null : text;
    }
}
