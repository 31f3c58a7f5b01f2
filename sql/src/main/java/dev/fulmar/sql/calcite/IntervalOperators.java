package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.foundation.data.IntervalShape;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.FunctionNames;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUserDefinedTypeNameSpec;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/**
 * Gives operators that have intervals, or moments whose difference is one, functions of {@link IntervalFunctions}. The
 * standard's literals beside dates and times stay as they are, so that a DATE and days remain a DATE; elsewhere they
 * become values.
 */
final class IntervalOperators {
    private static final String MONTHS_PER_QUARTER = "3";

    /** The function of seconds since 1970. */
    private static final String EPOCH = "#EPOCH";

    private IntervalOperators() {}

    /** CAST to an interval as a call; itself if the call is none. */
    static SqlNode settled(SqlCall call) {
        if (call.getKind() != SqlKind.CAST
                || call.operandCount() != 2
                || !(call.operand(1) instanceof SqlDataTypeSpec spec)) {
            return call;
        }
        IntervalShape shape = shape(spec);
        return shape == null
                ? call
                : IntervalFunctions.cast(shape).createCall(call.getParserPosition(), List.of(call.operand(0)));
    }

    private static @Nullable IntervalShape shape(SqlDataTypeSpec spec) {
        return switch (spec.getTypeNameSpec()) {
            case TypeName known -> known.shape;
            case SqlUserDefinedTypeNameSpec name
            when name.getTypeName().isSimple()
                    && name.getTypeName().getSimple().startsWith(IntervalFunctions.CAST_NAME) ->
                shape(
                        name.getTypeName().getSimple().substring(IntervalFunctions.CAST_NAME.length()),
                        spec.getParserPosition());
            default -> null;
        };
    }

    private static IntervalShape shape(String words, SqlParserPos place) {
        Optional<IntervalShape> shape = IntervalShape.ofWords(words);
        return shape.orElseThrow(() -> SqlErrors.at(
                ErrorCode.SYNTAX,
                new Position(place.getLineNum(), place.getColumnNum()),
                "there is no type INTERVAL" + words + "; write INTERVAL, INTERVAL DAY or INTERVAL DAY TO SECOND(3)"));
    }

    /** The type with a name that Calcite knows; null if it is none of intervals. */
    static @Nullable SqlDataTypeSpec known(SqlDataTypeSpec spec) {
        IntervalShape shape = shape(spec);
        return shape == null
                ? null
                : new SqlDataTypeSpec(new TypeName(shape, spec.getParserPosition()), spec.getParserPosition());
    }

    /** INTERVAL as a CAST names it. */
    private static final class TypeName extends SqlBasicTypeNameSpec {
        private final IntervalShape shape;

        TypeName(IntervalShape shape, SqlParserPos place) {
            super(SqlTypeName.VARCHAR, place);
            this.shape = shape;
        }

        @Override
        public RelDataType deriveType(SqlValidator validator) {
            return IntervalType.of(validator.getTypeFactory(), shape.type(), true);
        }
    }

    /** The operand of a call, where a literal of the standard that is not beside a moment becomes a value. */
    static SqlNode ofOperand(SqlNode parent, SqlNode operand) {
        boolean stays = !isStandard(operand)
                || isStandard(parent)
                || parent.getKind() == SqlKind.PRECEDING
                || parent.getKind() == SqlKind.FOLLOWING
                || parent.getKind() == SqlKind.WINDOW
                || (parent instanceof SqlCall call && isSum(call));
        return stays ? operand : value(operand);
    }

    private static boolean isSum(SqlCall call) {
        return (call.getKind() == SqlKind.PLUS || call.getKind() == SqlKind.MINUS) && call.operandCount() == 2;
    }

    /** Whether it is a literal of the standard, or computed of such and numbers alone. */
    private static boolean isStandard(SqlNode node) {
        if (node instanceof SqlIntervalLiteral) {
            return true;
        }
        if (!(node instanceof SqlCall call) || call.operandCount() == 0) {
            return false;
        }
        return switch (call.getKind()) {
            case MINUS_PREFIX, PLUS_PREFIX -> isStandard(call.operand(0));
            case TIMES -> isStandard(call.operand(0)) || isStandard(call.operand(1));
            case DIVIDE -> isStandard(call.operand(0));
            case PLUS, MINUS -> call.operandCount() == 2 && isStandard(call.operand(0)) && isStandard(call.operand(1));
            default -> false;
        };
    }

    /** Literals of the standard, and sums and products of them, as a value. */
    private static SqlNode value(SqlNode node) {
        if (node instanceof SqlIntervalLiteral literal) {
            return ofLiteral(literal);
        }
        if (!isStandard(node) || !(node instanceof SqlCall call)) {
            return node;
        }
        List<SqlNode> operands = new ArrayList<>();
        call.getOperandList().forEach(operand -> operands.add(value(operand)));
        return call.getOperator().createCall(call.getParserPosition(), operands);
    }

    private static SqlNode ofLiteral(SqlIntervalLiteral literal) {
        SqlIntervalLiteral.IntervalValue value = literal.getValueAs(SqlIntervalLiteral.IntervalValue.class);
        if (value == null) {
            return literal;
        }
        SqlParserPos place = literal.getParserPosition();
        String text = value.getIntervalLiteral().strip();
        boolean isNegated = text.startsWith("-");
        String magnitude = isNegated ? text.substring(1) : text;
        String unit = value.getIntervalQualifier().timeUnitRange.name();
        Optional<IntervalShape> shape = IntervalShape.ofWords(unit.replace('_', ' '));
        boolean isOfQuarters = unit.equals("QUARTER");
        String written = shape.isPresent() ? magnitude : magnitude + " " + (isOfQuarters ? "MONTH" : unit);
        SqlNode counted = IntervalFunctions.cast(shape.orElse(IntervalShape.ANY))
                .createCall(place, List.of(SqlLiteral.createCharString(written, place)));
        SqlNode cast = isOfQuarters
                ? IntervalFunctions.TIMES.createCall(
                        place, List.of(counted, SqlLiteral.createExactNumeric(MONTHS_PER_QUARTER, place)))
                : counted;
        return isNegated == (value.getSign() < 0) ? cast : IntervalFunctions.NEGATE.createCall(place, List.of(cast));
    }

    /** Gives the call the function that its operands ask for, in place. */
    static void settle(DialectValidator validator, SqlValidatorScope scope, SqlBasicCall call) {
        switch (call.getKind()) {
            case PLUS, MINUS -> {
                if (call.operandCount() == 2) {
                    ofSum(validator, scope, call);
                }
            }
            case TIMES, DIVIDE -> ofProduct(validator, scope, call);
            case MINUS_PREFIX -> {
                if (isValue(validator, scope, call.operand(0))) {
                    call.setOperator(IntervalFunctions.NEGATE);
                }
            }
            case EXTRACT -> ofField(validator, scope, call);
            default -> {
                if (isComparison(call.getKind())) {
                    ofComparison(validator, scope, call);
                } else {
                    ofFunction(validator, scope, call);
                }
            }
        }
    }

    private static @Nullable RelDataType type(DialectValidator validator, SqlValidatorScope scope, SqlNode operand) {
        return switch (operand) {
            case SqlDynamicParam parameter -> validator.toldType(parameter);
            case SqlNodeList ignored -> null;
            default -> validator.deriveType(scope, operand);
        };
    }

    private static boolean isValue(DialectValidator validator, SqlValidatorScope scope, SqlNode operand) {
        RelDataType type = type(validator, scope, operand);
        return type != null && IntervalType.is(type);
    }

    private static boolean isMoment(@Nullable RelDataType type) {
        return type != null && SqlTypeUtil.isDatetime(type);
    }

    private static void ofSum(DialectValidator validator, SqlValidatorScope scope, SqlBasicCall call) {
        RelDataType left = type(validator, scope, call.operand(0));
        RelDataType right = type(validator, scope, call.operand(1));
        boolean isMinus = call.getKind() == SqlKind.MINUS;
        boolean isLeftValue = left != null && IntervalType.is(left);
        boolean isRightValue = right != null && IntervalType.is(right);
        if (isLeftValue || isRightValue) {
            if (isMoment(left) || (isMoment(right) && !isMinus)) {
                ofMoved(call, isMoment(left) ? 0 : 1, isMinus);
                return;
            }
            call.setOperand(0, value(call.operand(0)));
            call.setOperand(1, value(call.operand(1)));
            call.setOperator(isMinus ? IntervalFunctions.MINUS : IntervalFunctions.PLUS);
        } else if (isMoment(left) && isTime(right) && !isTime(left)) {
            call.setOperand(1, asInterval(call.operand(1)));
            ofMoved(call, 0, isMinus);
        } else if (isMoment(right) && isTime(left) && !isTime(right) && !isMinus) {
            call.setOperand(0, asInterval(call.operand(0)));
            ofMoved(call, 1, false);
        } else if (isMoment(left) && isMoment(right) && isMinus) {
            call.setOperator(difference(left, right));
        } else if (isMinus && left != null && right != null && isMoment(left) && JsonType.isLiteral(right)) {
            call.setOperand(1, as(left, call.operand(1)));
            call.setOperator(difference(left, left));
        } else if (isMinus && left != null && right != null && isMoment(right) && JsonType.isLiteral(left)) {
            call.setOperand(0, as(right, call.operand(0)));
            call.setOperator(difference(right, right));
        } else if (isMoment(left) && right != null && JsonType.isLiteral(right) && !isMinus) {
            ofMoved(call, 0, false);
        }
    }

    private static boolean isTime(@Nullable RelDataType type) {
        return type != null && type.getSqlTypeName() == SqlTypeName.TIME;
    }

    /** A time beside a day is the interval since midnight. */
    private static SqlNode asInterval(SqlNode time) {
        return IntervalFunctions.cast(IntervalShape.ANY).createCall(time.getParserPosition(), List.of(time));
    }

    /** A literal beside a moment is one of its type. */
    private static SqlNode as(RelDataType moment, SqlNode literal) {
        return SqlStdOperatorTable.CAST.createCall(
                literal.getParserPosition(), literal, SqlTypeUtil.convertTypeToSpec(moment));
    }

    private static void ofMoved(SqlBasicCall call, int moment, boolean isMinus) {
        if (moment == 1) {
            SqlNode first = call.operand(0);
            call.setOperand(0, call.operand(1));
            call.setOperand(1, first);
        }
        call.setOperator(isMinus ? IntervalFunctions.BEFORE : IntervalFunctions.AFTER);
    }

    private static IntervalFunction difference(@Nullable RelDataType left, @Nullable RelDataType right) {
        boolean areDates = left != null
                && right != null
                && left.getSqlTypeName() == SqlTypeName.DATE
                && right.getSqlTypeName() == SqlTypeName.DATE;
        return areDates ? IntervalFunctions.DAYS : IntervalFunctions.BETWEEN;
    }

    private static void ofProduct(DialectValidator validator, SqlValidatorScope scope, SqlBasicCall call) {
        boolean isTimes = call.getKind() == SqlKind.TIMES;
        boolean isLeft = isValue(validator, scope, call.operand(0));
        boolean isRight = isTimes && isValue(validator, scope, call.operand(1));
        if (isRight && !isLeft) {
            SqlNode first = call.operand(0);
            call.setOperand(0, call.operand(1));
            call.setOperand(1, first);
        }
        if (isLeft || isRight) {
            call.setOperator(isTimes ? IntervalFunctions.TIMES : IntervalFunctions.DIVIDE);
        }
    }

    private static void ofField(DialectValidator validator, SqlValidatorScope scope, SqlBasicCall call) {
        if (call.operand(0) instanceof SqlIntervalQualifier unit && isValue(validator, scope, call.operand(1))) {
            String name = unit.timeFrameName == null ? unit.timeUnitRange.name() : unit.timeFrameName;
            call.setOperand(0, SqlLiteral.createCharString(name, unit.getParserPosition()));
            call.setOperator(IntervalFunctions.FIELD);
        } else if (isMoment(type(validator, scope, call.operand(1))) && !isNullable(call.operand(1))) {
            // Most fields of infinity are null, also where the moment is not.
            SqlNode moment = call.operand(1);
            call.setOperand(1, LibraryFunction.NULLABLE.createCall(moment.getParserPosition(), moment));
        }
    }

    private static boolean isNullable(SqlNode operand) {
        return operand instanceof SqlCall call && call.getOperator().equals(LibraryFunction.NULLABLE);
    }

    /** Of a window's function, which Calcite does not look at by itself. */
    static void settleWindow(DialectValidator validator, SqlValidatorScope scope, SqlCall over) {
        if (over.operand(0) instanceof SqlBasicCall call) {
            settle(validator, scope, call);
        }
    }

    private static void ofFunction(DialectValidator validator, SqlValidatorScope scope, SqlBasicCall call) {
        String name = call.getOperator().getName();
        if (name.equals("SUM") || name.equals("AVG")) {
            boolean isPlain = call.operandCount() == 1 && !(call.getOperator() instanceof DialectAggregate);
            if (isPlain && isValue(validator, scope, call.operand(0))) {
                call.setOperator(IntervalFunctions.aggregate(AggregateFunction.valueOf(name)));
            }
        } else if (name.equals(EPOCH) && call.operandCount() == 1) {
            ofEpoch(validator, scope, call);
        } else if (name.equals(FunctionNames.TRUNCATION)
                && call.operandCount() == 2
                && isValue(validator, scope, call.operand(1))) {
            call.setOperator(IntervalFunctions.TRUNCATE);
        }
    }

    /** The difference of two dates is a number, which has no epoch. */
    private static void ofEpoch(DialectValidator validator, SqlValidatorScope scope, SqlBasicCall call) {
        RelDataType type = type(validator, scope, call.operand(0));
        if (type != null && IntervalType.is(type)) {
            call.setOperator(IntervalFunctions.SECONDS);
        } else if (type != null && SqlTypeUtil.isNumeric(type)) {
            SqlParserPos place = call.getParserPosition();
            throw SqlErrors.at(
                    ErrorCode.UNDEFINED_OPERATION,
                    new Position(place.getLineNum(), place.getColumnNum()),
                    "a number has no epoch; the difference of two dates is a number of days");
        }
    }

    private static boolean isComparison(SqlKind kind) {
        return SqlKind.COMPARISON.contains(kind)
                || kind == SqlKind.BETWEEN
                || kind == SqlKind.NOT_IN
                || kind == SqlKind.IS_DISTINCT_FROM
                || kind == SqlKind.IS_NOT_DISTINCT_FROM;
    }

    /**
     * Makes an interval of a literal beside one: Calcite would bring together what it knows of the order of texts.
     * Refuses other values.
     */
    private static void ofComparison(DialectValidator validator, SqlValidatorScope scope, SqlBasicCall call) {
        boolean isOfValues = false;
        for (SqlNode operand : call.getOperandList()) {
            isOfValues |= operand.getKind() != SqlKind.ROW && isValue(validator, scope, operand);
        }
        if (!isOfValues) {
            return;
        }
        for (int i = 0; i < call.operandCount(); i++) {
            SqlNode operand = call.operand(i);
            if (operand instanceof SqlNodeList list) {
                for (int j = 0; j < list.size(); j++) {
                    list.set(j, compared(validator, scope, list.get(j)));
                }
            } else {
                call.setOperand(i, compared(validator, scope, operand));
            }
        }
    }

    private static SqlNode compared(DialectValidator validator, SqlValidatorScope scope, SqlNode operand) {
        RelDataType type = type(validator, scope, operand);
        if (type == null
                || IntervalType.is(type)
                || type.isStruct()
                || type.getSqlTypeName() == SqlTypeName.NULL
                || type.getSqlTypeName() == SqlTypeName.UNKNOWN
                || operand.getKind().belongsTo(SqlKind.QUERY)) {
            return operand;
        }
        SqlParserPos place = operand.getParserPosition();
        if (!JsonType.isLiteral(type)) {
            throw SqlErrors.at(
                    ErrorCode.UNDEFINED_OPERATION,
                    new Position(place.getLineNum(), place.getColumnNum()),
                    "an INTERVAL compares with an INTERVAL alone; CAST the other value");
        }
        return IntervalFunctions.cast(IntervalShape.ANY).createCall(place, List.of(operand));
    }
}
