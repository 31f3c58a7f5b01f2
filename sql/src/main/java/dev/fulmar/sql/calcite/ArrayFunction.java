package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/**
 * A function or operator of arrays. Of the letters of its arguments A is an array, E a value like its elements, X one
 * of the two, I an integer, T a text, * anything. The result is an array (A), an element (E), or of a type of its own.
 */
public final class ArrayFunction extends LetteredFunction {
    private static final ColumnType TEXT = ColumnType.varchar(TypeMapping.MAX_LENGTH);

    private final transient @Nullable ColumnType target;

    private ArrayFunction(
            String name,
            String shown,
            ScalarFunction function,
            String parameters,
            int least,
            char result,
            @Nullable ColumnType target) {
        super(
                name,
                shown,
                function,
                parameters,
                least,
                binding -> type(binding, shown, parameters, result, target),
                ArrayFunction::takes);
        this.target = target;
    }

    /** @param result the letter of the result, where B is a BOOLEAN and N an array of integers */
    static ArrayFunction of(
            String name, String shown, ScalarFunction function, String parameters, int least, char result) {
        return new ArrayFunction(name, shown, function, parameters, least, result, null);
    }

    /** CAST to the type of arrays. Casts to other types have other names, by which Calcite tells functions apart. */
    static ArrayFunction cast(ColumnType array) {
        return new ArrayFunction("#ARRAY " + array, "CAST to " + array, ScalarFunction.CAST, "*", 1, 'A', array);
    }

    /** {@code ARRAY[...]} whose elements are cast to those of the type. */
    static ArrayFunction constructor(ColumnType array) {
        return new ArrayFunction("#ARRAY OF " + array, "ARRAY", ScalarFunction.ARRAY_OF, "*+", 1, 'A', array);
    }

    /** The type of arrays that arguments of the types have in common; empty where nothing tells it. */
    public Optional<ColumnType> array(RelDataTypeFactory types, List<RelDataType> operands) {
        return target != null ? Optional.of(target) : array(types, operands, shown(), parameters());
    }

    private static boolean isOpen(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.NULL
                || type.getSqlTypeName() == SqlTypeName.UNKNOWN
                || JsonType.isLiteral(type);
    }

    private static Optional<ColumnType> array(
            RelDataTypeFactory types, List<RelDataType> operands, String shown, String parameters) {
        List<RelDataType> elements = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++) {
            RelDataType type = operands.get(i);
            char letter = letter(parameters, i);
            if (ArrayType.is(type) && letter == 'E') {
                throw SqlErrors.notSupported(
                        "arrays of several dimensions are not supported; keep the inner ones in rows of their own");
            }
            boolean tells =
                    (letter == 'A' && ArrayType.is(type)) || ((letter == 'E' || letter == 'X') && !isOpen(type));
            if (tells) {
                elements.add(ArrayType.element(types, type));
            }
        }
        if (elements.isEmpty()) {
            boolean isOfTexts = parameters.equals("E+");
            return isOfTexts ? Optional.of(ColumnType.array(TEXT)) : Optional.empty();
        }
        RelDataType common = types.leastRestrictive(elements);
        if (common == null) {
            throw new FulmarException(
                    ErrorCode.UNDEFINED_OPERATION,
                    shown + " takes arrays and elements of one type, not "
                            + elements.stream().map(ArrayFunction::text).collect(Collectors.joining(" and "))
                            + "; CAST helps");
        }
        return Optional.of(ColumnType.array(element(TypeMapping.columnType(common))));
    }

    /** The type as one of elements. */
    static ColumnType element(ColumnType type) {
        if (type.kind() == TypeKind.CHAR) {
            return ColumnType.varchar(type.precision());
        }
        if (type.kind() == TypeKind.NUMERIC) {
            return ColumnType.decimal(ColumnType.MAX_DECIMAL_DIGITS, 12); // as numeric[] is
        }
        if (!type.kind().isElement()) {
            throw SqlErrors.notSupported(
                    "arrays of " + type + " are not supported; docs/SQL.md lists the types of elements");
        }
        return type;
    }

    private static RelDataType type(
            SqlOperatorBinding binding, String shown, String parameters, char result, @Nullable ColumnType target) {
        RelDataTypeFactory types = binding.getTypeFactory();
        List<RelDataType> operands = binding.collectOperandTypes();
        boolean isNullable = operands.stream().anyMatch(RelDataType::isNullable) || !parameters.equals("E+");
        return switch (result) {
            case 'A' ->
                ArrayType.of(types, target != null ? target : known(types, operands, shown, parameters), isNullable);
            case 'E' ->
                TypeMapping.relDataType(
                        types, known(types, operands, shown, parameters).element(), true);
            case 'N' -> ArrayType.of(types, ColumnType.array(ColumnType.of(TypeKind.INTEGER)), true);
            case 'S' -> ArrayType.of(types, ColumnType.array(TEXT), true);
            case 'B' -> TypeMapping.relDataType(types, ColumnType.of(TypeKind.BOOLEAN), true);
            case 'I' -> TypeMapping.relDataType(types, ColumnType.of(TypeKind.INTEGER), true);
            default -> TypeMapping.relDataType(types, TEXT, true);
        };
    }

    private static ColumnType known(
            RelDataTypeFactory types, List<RelDataType> operands, String shown, String parameters) {
        return array(types, operands, shown, parameters)
                .orElseThrow(() -> new FulmarException(
                        ErrorCode.INDETERMINATE_TYPE,
                        "the type of the array of " + shown + " cannot be told; CAST it, as '{1,2}'::integer[]"));
    }

    /** The type of a parameter at the place, among arguments whose types are known; empty where that is open. */
    Optional<RelDataType> parameter(RelDataTypeFactory types, List<RelDataType> known, int place) {
        return switch (letter(place)) {
            case 'I' -> Optional.of(types.createSqlType(SqlTypeName.INTEGER));
            case 'T' -> Optional.of(types.createSqlType(SqlTypeName.VARCHAR));
            case 'A', 'X' -> array(types, known).map(type -> ArrayType.of(types, type, true));
            case 'E' -> array(types, known).map(type -> TypeMapping.relDataType(types, type.element(), true));
            default -> array(types, known).map(type -> argument(types, type));
        };
    }

    private RelDataType argument(RelDataTypeFactory types, ColumnType array) {
        return function() == ScalarFunction.ARRAY_OF
                ? TypeMapping.relDataType(types, array.element(), true)
                : ArrayType.of(types, array, true);
    }

    /** Calcite would look for a function of this name. */
    @Override
    public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
        call.getOperandList().forEach(operand -> validator.deriveType(scope, operand));
        return validateOperands(validator, scope, call);
    }

    private static String text(RelDataType type) {
        return isOpen(type)
                ? type.getSqlTypeName().getName()
                : TypeMapping.columnType(type).toString();
    }

    private static boolean takes(char letter, RelDataType type) {
        return isOpen(type)
                || switch (letter) {
                    case 'A' -> ArrayType.is(type);
                    case 'I' -> SqlTypeUtil.isIntType(type);
                    case 'T' -> SqlTypeUtil.inCharFamily(type) && !ArrayType.is(type) && !JsonType.isAny(type);
                    default -> true;
                };
    }
}
