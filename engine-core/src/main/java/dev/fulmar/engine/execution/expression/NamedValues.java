package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.ErrorPlaces;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Wraps evaluators so that an error in computing a value names the column or row that the value is for. A parameter is
 * not wrapped: reading it cannot fail.
 */
public final class NamedValues {
    private NamedValues() {}

    /** The same value, with the place before the words of an error of it. */
    public static Evaluator at(String place, Evaluator value) {
        return switch (value) {
            case Constants.LongParameter parameter -> parameter;
            case Constants.BytesParameter parameter -> parameter;
            case LongEvaluator number ->
                (LongEvaluator) frame -> {
                    try {
                        return number.evaluate(frame);
                    } catch (FulmarException e) {
                        throw ErrorPlaces.ofValue(place, e);
                    }
                };
            case DoubleEvaluator number ->
                (DoubleEvaluator) frame -> {
                    try {
                        return number.evaluate(frame);
                    } catch (FulmarException e) {
                        throw ErrorPlaces.ofValue(place, e);
                    }
                };
            case WideEvaluator wide ->
                (WideEvaluator) frame -> {
                    try {
                        wide.evaluate(frame);
                    } catch (FulmarException e) {
                        throw ErrorPlaces.ofValue(place, e);
                    }
                };
            case BytesEvaluator bytes ->
                (BytesEvaluator) frame -> {
                    try {
                        bytes.evaluate(frame);
                    } catch (FulmarException e) {
                        throw ErrorPlaces.ofValue(place, e);
                    }
                };
        };
    }
}
