package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.data.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlOperandTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.util.SqlOperatorTables;

/** A function of users, as statements name it. */
public final class UserFunctionOperator extends SqlFunction {
    private final transient UserFunction function;

    private UserFunctionOperator(UserFunction function) {
        super(
                function.name(),
                SqlKind.OTHER_FUNCTION,
                binding -> TypeMapping.relDataType(binding.getTypeFactory(), function.result(), true),
                inference(function),
                checker(function),
                SqlFunctionCategory.USER_DEFINED_FUNCTION);
        this.function = function;
    }

    public UserFunction function() {
        return function;
    }

    /** The functions of a catalog. */
    static SqlOperatorTable table(Catalog catalog) {
        List<SqlOperator> operators = new ArrayList<>();
        catalog.functions().values().stream()
                .filter(function -> !function.isAggregate())
                .forEach(function -> operators.add(new UserFunctionOperator(function)));
        return SqlOperatorTables.of(operators);
    }

    /** {@code public.f(x)} as {@code f(x)}, where users have made f; any other call as it is. */
    static SqlCall withoutSchema(SqlCall call, Catalog catalog) {
        boolean isQualified = call.getOperator() instanceof SqlUnresolvedFunction function
                && function.getNameAsId().names.size() == 2
                && function.getNameAsId().names.getFirst().equalsIgnoreCase(SchemaName.PUBLIC);
        String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
        if (!isQualified || !catalog.functions().containsKey(name)) {
            return call;
        }
        SqlParserPos position = call.getParserPosition();
        return new SqlUnresolvedFunction(
                        new SqlIdentifier(name, position),
                        null,
                        null,
                        null,
                        null,
                        SqlFunctionCategory.USER_DEFINED_FUNCTION)
                .createCall(call.getFunctionQuantifier(), position, call.getOperandList());
    }

    /** A parameter of the statement has the type that the function declares. */
    private static SqlOperandTypeInference inference(UserFunction function) {
        return (binding, returnType, operandTypes) -> {
            for (int i = 0; i < operandTypes.length; i++) {
                operandTypes[i] = TypeMapping.relDataType(
                        binding.getTypeFactory(), function.parameters().get(i).type(), true);
            }
        };
    }

    private static SqlOperandTypeChecker checker(UserFunction function) {
        return function.parameters().isEmpty()
                ? OperandTypes.NILADIC
                : OperandTypes.family(function.parameters().stream()
                        .map(parameter -> family(parameter.type()))
                        .toList());
    }

    static SqlTypeFamily family(ColumnType type) {
        return switch (type.kind()) {
            case BOOLEAN -> SqlTypeFamily.BOOLEAN;
            case TINYINT, SMALLINT, INTEGER, BIGINT -> SqlTypeFamily.INTEGER;
            case DECIMAL, NUMERIC -> SqlTypeFamily.EXACT_NUMERIC;
            case REAL, DOUBLE -> SqlTypeFamily.NUMERIC;
            case CHAR, VARCHAR -> SqlTypeFamily.CHARACTER;
            case VARBINARY -> SqlTypeFamily.BINARY;
            case DATE -> SqlTypeFamily.DATE;
            case TIME -> SqlTypeFamily.TIME;
            case TIMESTAMP, TIMESTAMP_TZ -> SqlTypeFamily.DATETIME;
            case UUID, JSON, JSONB, INTERVAL, ARRAY, ENUM -> SqlTypeFamily.ANY;
        };
    }
}
