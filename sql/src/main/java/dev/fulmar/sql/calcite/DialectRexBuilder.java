package dev.fulmar.sql.calcite;

import com.google.common.collect.ImmutableList;
import dev.fulmar.engine.spi.PlanningTurn;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.rex.RexWindowExclusion;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Compares a CHAR with other text as two CHARs: every comparison of a query is made here, whatever it was written as.
 * Leaves the cutting of a long text literal to the run of the CAST: storing it in a short column is an error and not a
 * cut. A BOOLEAN that is cast to what it is stays itself, for a condition that is no more than such a CAST is refused
 * by Calcite's filters.
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
        return super.makeCall(position, type, operator, comparable(operator, operands));
    }

    @Override
    public RexNode makeCall(SqlParserPos position, SqlOperator operator, List<? extends RexNode> operands) {
        PlanningTurn.goOn();
        return super.makeCall(position, operator, comparable(operator, operands));
    }

    /**
     * Blanks at the end mean nothing where a CHAR is compared, so what it is compared with loses them as it becomes a
     * CHAR.
     */
    private List<RexNode> comparable(SqlOperator operator, List<? extends RexNode> operands) {
        if (!isComparison(operator.getKind()) || !CharType.isMixed(RexUtil.types(operands))) {
            return List.copyOf(operands);
        }
        int length = CharType.length(RexUtil.types(operands));
        List<RexNode> alike = new ArrayList<>();
        for (RexNode operand : operands) {
            RelDataType type = operand.getType();
            alike.add(
                    type instanceof CharType
                            ? operand
                            : makeAbstractCast(CharType.of(typeFactory, length, type.isNullable()), operand, false));
        }
        return alike;
    }

    /** A CHAR serves where a VARCHAR is wanted, and stays what it is until it is known what that is for. */
    @Override
    public RexNode ensureType(SqlParserPos position, RelDataType type, RexNode value, boolean matchNullability) {
        return value.getType() instanceof CharType && type.getSqlTypeName() == SqlTypeName.VARCHAR
                ? value
                : super.ensureType(position, type, value, matchNullability);
    }

    private static boolean isComparison(SqlKind kind) {
        return switch (kind) {
            case EQUALS,
                    NOT_EQUALS,
                    LESS_THAN,
                    LESS_THAN_OR_EQUAL,
                    GREATER_THAN,
                    GREATER_THAN_OR_EQUAL,
                    IS_DISTINCT_FROM,
                    IS_NOT_DISTINCT_FROM -> true;
            default -> false;
        };
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
        if (value instanceof RexLiteral known && !known.isNull() && NumericType.is(type)) {
            return makeAbstractCast(position, type, value, safe, format); // whose digits Calcite would fill up
        }
        if (value instanceof RexLiteral literal
                && SqlTypeUtil.inCharFamily(type)
                && SqlTypeUtil.inCharFamily(literal.getType())
                && isLonger(literal, type.getPrecision())) {
            return makeAbstractCast(position, type, literal, safe, format);
        }
        return super.makeCast(position, type, value, matchNullability, safe, format);
    }

    /**
     * Makes a call over a window nullable where its frame may lack the row that it reads. Calcite takes a frame with
     * the current row for one that is never empty, though it may exclude that row, and for as long as any number.
     */
    @Override
    public RexNode makeOver(
            SqlParserPos position,
            RelDataType type,
            SqlAggFunction function,
            List<RexNode> operands,
            List<RexNode> partitionKeys,
            ImmutableList<RexFieldCollation> orderKeys,
            RexWindowBound lowerBound,
            RexWindowBound upperBound,
            RexWindowExclusion exclude,
            boolean rows,
            boolean allowPartial,
            boolean nullWhenCountZero,
            boolean distinct,
            boolean ignoreNulls) {
        boolean mayBeNull = function.getKind() == SqlKind.NTH_VALUE
                || (exclude != RexWindowExclusion.EXCLUDE_NO_OTHER && function.getKind() != SqlKind.COUNT);
        return super.makeOver(
                position,
                mayBeNull ? getTypeFactory().createTypeWithNullability(type, true) : type,
                function,
                operands,
                partitionKeys,
                orderKeys,
                lowerBound,
                upperBound,
                exclude,
                rows,
                allowPartial,
                nullWhenCountZero,
                distinct,
                ignoreNulls);
    }

    private static boolean isLonger(RexLiteral literal, int length) {
        String text = RexLiteral.stringValue(literal);
        return text != null && length >= 0 && text.length() > length;
    }
}
