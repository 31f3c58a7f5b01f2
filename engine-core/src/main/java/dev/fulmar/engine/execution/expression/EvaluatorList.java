package dev.fulmar.engine.execution.expression;

import java.util.List;

/**
 * Evaluators sorted out by what they yield, so that a loop over a row's values switches on a number, and takes
 * parameters without a call. Immutable.
 */
public final class EvaluatorList {
    /** Codes for {@link #code}. */
    public static final int LONG = 0;

    public static final int DOUBLE = 1;
    public static final int WIDE = 2;
    public static final int BYTES = 3;
    /** A parameter of storage LONG; {@link #parameter} is its index. */
    public static final int LONG_PARAMETER = 4;
    /** A parameter of storage BYTES. */
    public static final int BYTES_PARAMETER = 5;

    private static final LongEvaluator NO_LONG = frame -> 0;
    private static final DoubleEvaluator NO_DOUBLE = frame -> 0;
    private static final WideEvaluator NO_WIDE = frame -> {};
    private static final BytesEvaluator NO_BYTES = frame -> {};

    private final int[] codes;
    private final int[] parameters;
    private final LongEvaluator[] longs;
    private final DoubleEvaluator[] doubles;
    private final WideEvaluator[] wides;
    private final BytesEvaluator[] bytes;

    public EvaluatorList(List<? extends Evaluator> evaluators) {
        int count = evaluators.size();
        codes = new int[count];
        parameters = new int[count];
        longs = new LongEvaluator[count];
        doubles = new DoubleEvaluator[count];
        wides = new WideEvaluator[count];
        bytes = new BytesEvaluator[count];
        for (int i = 0; i < count; i++) {
            longs[i] = NO_LONG;
            doubles[i] = NO_DOUBLE;
            wides[i] = NO_WIDE;
            bytes[i] = NO_BYTES;
            place(i, evaluators.get(i));
        }
    }

    private void place(int i, Evaluator evaluator) {
        switch (evaluator) {
            case Constants.LongParameter parameter -> {
                codes[i] = LONG_PARAMETER;
                parameters[i] = parameter.index();
                longs[i] = parameter;
            }
            case Constants.BytesParameter parameter -> {
                codes[i] = BYTES_PARAMETER;
                parameters[i] = parameter.index();
                bytes[i] = parameter;
            }
            case LongEvaluator number -> {
                codes[i] = LONG;
                longs[i] = number;
            }
            case DoubleEvaluator number -> {
                codes[i] = DOUBLE;
                doubles[i] = number;
            }
            case WideEvaluator wide -> {
                codes[i] = WIDE;
                wides[i] = wide;
            }
            case BytesEvaluator text -> {
                codes[i] = BYTES;
                bytes[i] = text;
            }
        }
    }

    public int size() {
        return codes.length;
    }

    public int code(int i) {
        return codes[i];
    }

    public int parameter(int i) {
        return parameters[i];
    }

    public long evaluateLong(int i, Frame frame) {
        return longs[i].evaluate(frame);
    }

    public double evaluateDouble(int i, Frame frame) {
        return doubles[i].evaluate(frame);
    }

    public void evaluateWide(int i, Frame frame) {
        wides[i].evaluate(frame);
    }

    public void evaluateBytes(int i, Frame frame) {
        bytes[i].evaluate(frame);
    }
}
