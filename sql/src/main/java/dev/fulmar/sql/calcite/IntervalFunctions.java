package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.IntervalShape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;

/** The functions and operators of intervals. Those of names that begin with # are written in another way. */
final class IntervalFunctions {
    /** The name before the fields of the type to which a CAST is; no statement has it. */
    static final String CAST_NAME = "#INTERVAL";

    static final IntervalFunction PLUS = of("#INTERVAL+", "+", ScalarFunction.INTERVAL_PLUS, "II", interval());
    static final IntervalFunction MINUS = of("#INTERVAL-", "-", ScalarFunction.INTERVAL_MINUS, "II", interval());
    static final IntervalFunction NEGATE = of("#INTERVAL_", "-", ScalarFunction.INTERVAL_NEGATE, "I", interval());
    static final IntervalFunction TIMES = of("#INTERVAL*", "*", ScalarFunction.INTERVAL_TIMES, "IN", interval());
    static final IntervalFunction DIVIDE = of("#INTERVAL/", "/", ScalarFunction.INTERVAL_DIVIDE, "IN", interval());

    /** The interval between two moments. */
    static final IntervalFunction BETWEEN = of("#BETWEEN", "-", ScalarFunction.INTERVAL_BETWEEN, "MM", interval());

    /** The days between two dates. */
    static final IntervalFunction DAYS = of("#DAYS", "-", ScalarFunction.MINUS, "DD", ReturnTypes.INTEGER_NULLABLE);

    static final IntervalFunction AFTER = of("#AFTER", "+", ScalarFunction.INTERVAL_AFTER, "MI", moment());
    static final IntervalFunction BEFORE = of("#BEFORE", "-", ScalarFunction.INTERVAL_BEFORE, "MI", moment());

    /** A field of an interval by its name. */
    static final IntervalFunction FIELD =
            of("#FIELD", "EXTRACT", ScalarFunction.EXTRACT_DAY, "TI", ReturnTypes.BIGINT_FORCE_NULLABLE);

    /** The seconds of an interval. */
    static final IntervalFunction SECONDS = of(
            "#SECONDS",
            "EXTRACT",
            ScalarFunction.INTERVAL_EPOCH,
            "I",
            binding -> binding.getTypeFactory()
                    .createTypeWithNullability(
                            binding.getTypeFactory().createSqlType(SqlTypeName.DECIMAL, 20, 6), true));

    static final IntervalFunction TRUNCATE = of("#TRUNCATE", "DATE_TRUNC", ScalarFunction.DATE_TRUNC, "TI", interval());

    private static final List<IntervalFunction> NAMED = List.of(
            IntervalFunction.of("AGE", "AGE", ScalarFunction.AGE, "MM", 1, interval()),
            of("DATE_BIN", "DATE_BIN", ScalarFunction.DATE_BIN, "IMM", moment(1)),
            of("JUSTIFY_HOURS", "JUSTIFY_HOURS", ScalarFunction.JUSTIFY_HOURS, "I", interval()),
            of("JUSTIFY_DAYS", "JUSTIFY_DAYS", ScalarFunction.JUSTIFY_DAYS, "I", interval()),
            of("JUSTIFY_INTERVAL", "JUSTIFY_INTERVAL", ScalarFunction.JUSTIFY_INTERVAL, "I", interval()),
            IntervalFunction.of(
                    "MAKE_INTERVAL", "MAKE_INTERVAL", ScalarFunction.MAKE_INTERVAL, "WWWWWWN", 0, interval()));

    /** CASTs by the types to which they are. */
    private static final Map<IntervalShape, IntervalFunction> CASTS = casts();

    private IntervalFunctions() {}

    /** The functions, by which a statement finds them. */
    static List<IntervalFunction> all() {
        List<IntervalFunction> all = new ArrayList<>(NAMED);
        all.addAll(CASTS.values());
        all.addAll(List.of(PLUS, MINUS, NEGATE, TIMES, DIVIDE, BETWEEN, DAYS, AFTER, BEFORE, FIELD, SECONDS, TRUNCATE));
        return all;
    }

    private static Map<IntervalShape, IntervalFunction> casts() {
        Map<IntervalShape, IntervalFunction> casts = new HashMap<>();
        for (IntervalShape.Fields fields : IntervalShape.Fields.values()) {
            int most = fields.haveSeconds() ? IntervalShape.MOST_DIGITS : IntervalShape.ALL_DIGITS;
            for (int digits = IntervalShape.ALL_DIGITS; digits <= most; digits++) {
                IntervalShape shape = new IntervalShape(fields, digits);
                casts.put(shape, madeCast(shape));
            }
        }
        return Map.copyOf(casts);
    }

    /** CAST to intervals of the shape. */
    static IntervalFunction cast(IntervalShape shape) {
        return Objects.requireNonNull(CASTS.get(shape), "each shape has a CAST");
    }

    private static IntervalFunction madeCast(IntervalShape shape) {
        ColumnType type = shape.type();
        return IntervalFunction.of(
                CAST_NAME + type.precision(),
                "CAST to " + type,
                ScalarFunction.CAST,
                "i",
                1,
                binding -> IntervalType.of(binding.getTypeFactory(), type, true));
    }

    /** SUM or AVG of intervals. */
    static SqlAggFunction aggregate(AggregateFunction function) {
        return DialectAggregate.of(function.name(), function, List.of());
    }

    private static IntervalFunction of(
            String name, String shown, ScalarFunction function, String parameters, SqlReturnTypeInference type) {
        return IntervalFunction.of(name, shown, function, parameters, parameters.length(), type);
    }

    private static SqlReturnTypeInference interval() {
        return binding -> IntervalType.ofAll(binding.getTypeFactory());
    }

    /** A date is the timestamp at its beginning. */
    private static SqlReturnTypeInference moment() {
        return moment(0);
    }

    private static SqlReturnTypeInference moment(int place) {
        SqlReturnTypeInference type = binding -> {
            RelDataType moment = binding.getOperandType(place);
            return moment.getSqlTypeName() == SqlTypeName.DATE
                    ? binding.getTypeFactory().createSqlType(SqlTypeName.TIMESTAMP, 6)
                    : moment;
        };
        return type.andThen(SqlTypeTransforms.FORCE_NULLABLE);
    }
}
