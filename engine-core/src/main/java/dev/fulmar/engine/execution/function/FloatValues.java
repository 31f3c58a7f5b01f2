package dev.fulmar.engine.execution.function;

import dev.fulmar.engine.execution.value.ValueRange;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;

/**
 * Hyperbolic functions, and those of angles in degrees, which are exact where they can be. StrictMath has the same bits
 * on every machine, so that copies agree.
 */
final class FloatValues {
    private static final ColumnType DOUBLE = ColumnType.of(TypeKind.DOUBLE);
    private static final double LN_2 = 0.6931471805599453;
    private static final double LARGE = 0x1p28;
    private static final double SMALL = 0x1p-28;

    private FloatValues() {}

    static void addTo(Map<ScalarFunction, Supplier<ValueFunction>> functions) {
        add(functions, ScalarFunction.SINH, StrictMath::sinh);
        add(functions, ScalarFunction.COSH, StrictMath::cosh);
        add(functions, ScalarFunction.TANH, StrictMath::tanh);
        add(functions, ScalarFunction.ASINH, FloatValues::asinh);
        add(functions, ScalarFunction.ACOSH, FloatValues::acosh);
        add(functions, ScalarFunction.ATANH, FloatValues::atanh);
        add(functions, ScalarFunction.SIND, DegreeAngles::sine);
        add(functions, ScalarFunction.COSD, DegreeAngles::cosine);
        add(functions, ScalarFunction.TAND, DegreeAngles::tangent);
        add(functions, ScalarFunction.COTD, DegreeAngles::cotangent);
        add(functions, ScalarFunction.ASIND, DegreeAngles::arcSine);
        add(functions, ScalarFunction.ACOSD, DegreeAngles::arcCosine);
        add(functions, ScalarFunction.ATAND, DegreeAngles::arcTangent);
        functions.put(
                ScalarFunction.ATAN2D,
                () -> arguments -> DegreeAngles.arcTangent((Double) arguments[0], (Double) arguments[1]));
        functions.put(
                ScalarFunction.REAL_BYTES,
                () -> arguments -> ByteBuffer.allocate(Float.BYTES)
                        .putFloat(((Double) arguments[0]).floatValue())
                        .array());
        functions.put(
                ScalarFunction.DOUBLE_BYTES,
                () -> arguments -> ByteBuffer.allocate(Double.BYTES)
                        .putDouble((Double) arguments[0])
                        .array());
    }

    private static void add(
            Map<ScalarFunction, Supplier<ValueFunction>> functions,
            ScalarFunction function,
            DoubleUnaryOperator operator) {
        functions.put(function, () -> arguments -> operator.applyAsDouble((Double) arguments[0]));
    }

    /** The error for a number that the function has no value for. */
    static FulmarException outOfRange(double number) {
        return ValueRange.outOfRange("input is out of range: " + number, DOUBLE);
    }

    private static double asinh(double x) {
        double magnitude = Math.abs(x);
        if (!Double.isFinite(x) || magnitude < SMALL) {
            return x;
        }
        double result;
        if (magnitude > LARGE) {
            result = StrictMath.log(magnitude) + LN_2;
        } else if (magnitude > 2) {
            result = StrictMath.log(2 * magnitude + 1 / (Math.sqrt(x * x + 1) + magnitude));
        } else {
            double square = x * x;
            result = StrictMath.log1p(magnitude + square / (1 + Math.sqrt(1 + square)));
        }
        return Math.copySign(result, x);
    }

    private static double acosh(double x) {
        if (x < 1) {
            throw outOfRange(x);
        }
        if (!Double.isFinite(x)) {
            return x;
        }
        if (x > LARGE) {
            return StrictMath.log(x) + LN_2;
        }
        if (x > 2) {
            return StrictMath.log(2 * x - 1 / (x + Math.sqrt(x * x - 1)));
        }
        double more = x - 1;
        return StrictMath.log1p(more + Math.sqrt(2 * more + more * more));
    }

    private static double atanh(double x) {
        double magnitude = Math.abs(x);
        if (magnitude > 1) {
            throw outOfRange(x);
        }
        if (magnitude == 1) {
            return x * Double.POSITIVE_INFINITY;
        }
        if (Double.isNaN(x) || magnitude < SMALL) {
            return x;
        }
        double twice = magnitude + magnitude;
        double result = magnitude < 0.5
                ? 0.5 * StrictMath.log1p(twice + twice * magnitude / (1 - magnitude))
                : 0.5 * StrictMath.log1p(twice / (1 - magnitude));
        return Math.copySign(result, x);
    }
}
