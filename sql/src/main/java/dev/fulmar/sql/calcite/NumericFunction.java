package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.ScalarFunction;
import java.util.Collections;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;

/** A function of the engine that takes numerics, and yields one or an INTEGER. */
public final class NumericFunction extends SqlFunction {
    private final transient ScalarFunction function;

    private NumericFunction(
            String name,
            ScalarFunction function,
            SqlReturnTypeInference type,
            List<SqlTypeFamily> operands,
            int least) {
        super(
                name,
                SqlKind.OTHER_FUNCTION,
                type,
                null,
                OperandTypes.family(operands, place -> place >= least),
                SqlFunctionCategory.USER_DEFINED_FUNCTION);
        this.function = function;
    }

    /** The function by its name in plans. */
    public ScalarFunction function() {
        return function;
    }

    /** A function that yields a NUMERIC. */
    static NumericFunction of(String name, ScalarFunction function, int least, int most) {
        SqlReturnTypeInference type = binding -> {
            boolean isNullable = binding.collectOperandTypes().stream().anyMatch(RelDataType::isNullable);
            return NumericType.any(binding.getTypeFactory(), isNullable);
        };
        return new NumericFunction(name, function, type, Collections.nCopies(most, SqlTypeFamily.NUMERIC), least);
    }

    /** One that yields an INTEGER, or null of what is no number. */
    static NumericFunction ofInteger(String name, ScalarFunction function, int operands) {
        SqlReturnTypeInference type = binding -> binding.getTypeFactory().createSqlType(SqlTypeName.INTEGER);
        return new NumericFunction(
                name,
                function,
                type.andThen(SqlTypeTransforms.FORCE_NULLABLE),
                Collections.nCopies(operands, SqlTypeFamily.NUMERIC),
                operands);
    }
}
