package dev.fulmar.sql.calcite;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Leaves the cutting of a long text literal to whoever runs the CAST: storing it in a short column is an error and not a cut. */
final class DialectRexBuilder extends RexBuilder {
    DialectRexBuilder(RelDataTypeFactory typeFactory) {
        super(typeFactory);
    }

    @Override
    public RexNode makeCast(
            SqlParserPos position,
            RelDataType type,
            RexNode value,
            boolean matchNullability,
            boolean safe,
            RexLiteral format) {
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
