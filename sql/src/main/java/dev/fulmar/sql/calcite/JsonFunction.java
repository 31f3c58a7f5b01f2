package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.TypeKind;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * A function or operator of documents. Its arguments are of types that a letter for each says. J is a JSON, B a JSONB,
 * D one of the two, j and b what becomes one, T a text, K a text or an integer, M one of these or an array of texts.
 * P is keys and indexes as an array of texts or the text of one, A an array, Z a BOOLEAN, * anything. R is a row, which
 * {@link WholeRows} makes a document.
 */
public final class JsonFunction extends LetteredFunction {
    private JsonFunction(
            String name,
            String shown,
            ScalarFunction function,
            String parameters,
            int least,
            SqlReturnTypeInference type) {
        super(name, shown, function, parameters, least, type, JsonFunction::takes);
    }

    static JsonFunction of(
            String name,
            String shown,
            ScalarFunction function,
            String parameters,
            int least,
            SqlReturnTypeInference type) {
        return new JsonFunction(name, shown, function, parameters, least, type);
    }

    /** Whether it makes an item of JSON_AGG that has a line of its own. */
    public boolean isLine() {
        return equals(JsonFunctions.LINE);
    }

    /** The type of a parameter at the place; empty where that is open. */
    Optional<RelDataType> parameter(RelDataTypeFactory types, int place) {
        return switch (letter(place)) {
            case 'J', 'j' -> Optional.of(JsonType.of(types, TypeKind.JSON, true));
            case 'B', 'b' -> Optional.of(JsonType.of(types, TypeKind.JSONB, true));
            case 'T', 'K', 'M', 'P' -> Optional.of(types.createSqlType(SqlTypeName.VARCHAR));
            case 'Z' -> Optional.of(types.createSqlType(SqlTypeName.BOOLEAN));
            default -> Optional.empty();
        };
    }

    private static boolean takes(char letter, RelDataType type) {
        boolean isKnown = letter == 'A' || letter == 'R';
        boolean isOpen = (!isKnown
                        && (type.getSqlTypeName() == SqlTypeName.NULL || type.getSqlTypeName() == SqlTypeName.UNKNOWN))
                || letter == '*'
                || letter == 'j'
                || letter == 'b';
        boolean isText = SqlTypeUtil.inCharFamily(type) && !JsonType.isAny(type) && !ArrayType.is(type);
        return isOpen
                || switch (letter) {
                    case 'J' -> JsonType.is(type, TypeKind.JSON) || JsonType.isLiteral(type);
                    case 'B' -> JsonType.is(type, TypeKind.JSONB) || JsonType.isLiteral(type);
                    case 'D' -> JsonType.isAny(type);
                    case 'K' -> isText || SqlTypeUtil.isIntType(type);
                    case 'M' -> isText || SqlTypeUtil.isIntType(type) || ArrayType.is(type);
                    case 'P' -> isText || ArrayType.is(type);
                    case 'A' -> ArrayType.is(type);
                    case 'R' -> false;
                    case 'Z' -> type.getSqlTypeName() == SqlTypeName.BOOLEAN;
                    default -> isText;
                };
    }
}
