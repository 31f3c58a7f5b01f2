package dev.fulmar.sql.calcite;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlTableFunction;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/** The table of the values of {@link ValuesFunction}s, side by side. */
public final class RowsTable extends SqlFunction implements SqlTableFunction {
    static final RowsTable PLAIN = new RowsTable(RowFunctions.ROWS_NAME, false);
    static final RowsTable NUMBERED = new RowsTable(RowFunctions.NUMBERED_NAME, true);

    private final boolean isNumbered;

    private RowsTable(String name, boolean isNumbered) {
        super(
                name,
                SqlKind.OTHER_FUNCTION,
                ReturnTypes.CURSOR,
                null,
                OperandTypes.VARIADIC,
                SqlFunctionCategory.USER_DEFINED_TABLE_FUNCTION);
        this.isNumbered = isNumbered;
    }

    /** Whether its last column is the number of the row. */
    public boolean isNumbered() {
        return isNumbered;
    }

    @Override
    public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
        call.getOperandList().forEach(operand -> validator.deriveType(scope, operand));
        return validateOperands(validator, scope, call);
    }

    @Override
    public SqlReturnTypeInference getRowTypeInference() {
        return this::rowType;
    }

    private RelDataType rowType(SqlOperatorBinding binding) {
        RelDataTypeFactory types = binding.getTypeFactory();
        RelDataTypeFactory.Builder columns = types.builder();
        List<RelDataType> values = binding.collectOperandTypes();
        for (int i = 0; i < values.size(); i++) {
            columns.add("C" + i, types.createTypeWithNullability(values.get(i), true));
        }
        if (isNumbered) {
            columns.add("N", types.createSqlType(SqlTypeName.BIGINT));
        }
        return columns.build();
    }
}
