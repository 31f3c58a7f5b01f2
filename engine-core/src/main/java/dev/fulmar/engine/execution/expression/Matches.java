package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.NativeText;
import dev.fulmar.engine.execution.value.RegularExpression;

/** Whether text matches a regular expression. */
final class Matches {
    private Matches() {}

    /** The expression that was read last; it is mostly a constant. */
    private record Known(String pattern, RegularExpression expression) {}

    static LongEvaluator compile(BytesEvaluator text, BytesEvaluator pattern, boolean inAnyCase) {
        Known[] last = {new Known("", RegularExpression.of("", inAnyCase))};
        return frame -> {
            pattern.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            String source = NativeText.decode(frame.bytesAddress, frame.bytesLength);
            Known known = last[0];
            if (!known.pattern.equals(source)) {
                known = new Known(source, RegularExpression.of(source, inAnyCase));
                last[0] = known;
            }
            text.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            return known.expression.matches(NativeText.decode(frame.bytesAddress, frame.bytesLength)) ? 1 : 0;
        };
    }
}
