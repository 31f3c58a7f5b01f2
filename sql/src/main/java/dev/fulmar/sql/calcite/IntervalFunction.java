package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.ScalarFunction;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * A function or operator of intervals. Its arguments are of types that a letter for each says. I is an interval or the
 * literal of one, i what becomes one, N a number or the literal of one, W an integer, M a moment, D a date, T a text.
 */
public final class IntervalFunction extends LetteredFunction {
    private IntervalFunction(
            String name,
            String shown,
            ScalarFunction function,
            String parameters,
            int least,
            SqlReturnTypeInference type) {
        super(name, shown, function, parameters, least, type, IntervalFunction::takes);
    }

    static IntervalFunction of(
            String name,
            String shown,
            ScalarFunction function,
            String parameters,
            int least,
            SqlReturnTypeInference type) {
        return new IntervalFunction(name, shown, function, parameters, least, type);
    }

    /** The type of a parameter at the place; empty where that is open. */
    Optional<RelDataType> parameter(RelDataTypeFactory types, int place) {
        return switch (letter(place)) {
            case 'I', 'i' -> Optional.of(IntervalType.ofAll(types));
            case 'N' -> Optional.of(types.createSqlType(SqlTypeName.DOUBLE));
            case 'W' -> Optional.of(types.createSqlType(SqlTypeName.INTEGER));
            case 'T' -> Optional.of(types.createSqlType(SqlTypeName.VARCHAR));
            default -> Optional.empty();
        };
    }

    private static boolean takes(char letter, RelDataType type) {
        SqlTypeName name = type.getSqlTypeName();
        boolean isOpen = name == SqlTypeName.NULL || name == SqlTypeName.UNKNOWN || letter == 'i';
        return isOpen
                || switch (letter) {
                    case 'I' -> IntervalType.is(type) || JsonType.isLiteral(type);
                    case 'N' -> SqlTypeUtil.isNumeric(type) || JsonType.isLiteral(type);
                    case 'W' -> SqlTypeUtil.isIntType(type);
                    case 'M' -> SqlTypeUtil.isDatetime(type);
                    case 'D' -> name == SqlTypeName.DATE;
                    default -> SqlTypeUtil.inCharFamily(type) && !JsonType.isAny(type) && !IntervalType.is(type);
                };
    }
}
