package dev.fulmar.sql.calcite;

import dev.fulmar.engine.spi.PlanningTurn;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Leaves the cutting of a long text literal to whoever runs the CAST: storing it in a short column is an error and not a cut. A BOOLEAN that is cast to what it is stays
 * itself, for a condition that is no more than such a CAST is refused by Calcite's filters.
 */
final class DialectRexBuilder extends RexBuilder {
    DialectRexBuilder(RelDataTypeFactory typeFactory) {
        super(typeFactory);
    }

    @Override
    public RexInputRef makeInputRef(RelDataType type, int i) {
        PlanningTurn.goOn();
        return super.makeInputRef(type, i);
    }

    @Override
    public RexNode makeCall(SqlParserPos position, RelDataType type, SqlOperator operator, List<RexNode> operands) {
        PlanningTurn.goOn();
        return super.makeCall(position, type, operator, operands);
    }

    @Override
    public RexNode makeCast(
            SqlParserPos position,
            RelDataType type,
            RexNode value,
            boolean matchNullability,
            boolean safe,
            RexLiteral format) {
        if (type.getSqlTypeName() == SqlTypeName.BOOLEAN && type.equals(value.getType())) {
            return value;
        }
        if (value instanceof RexLiteral literal
                && SqlTypeUtil.inCharFamily(type)
                && SqlTypeUtil.inCharFamily(literal.getType())
                && isLonger(literal, type.getPrecision())) {
            return makeAbstractCast(position, type, literal, safe, format);
        }
        return super.makeCast(position, type, value, matchNullability, safe, format);
    }

    private static boolean isLonger(RexLiteral literal, int length) {
        String text = RexLiteral.stringValue(literal);
        return text != null && length >= 0 && text.length() > length;
    }
}
