package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
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
 * Operators of documents, which Calcite's grammar lacks. {@link CompletedTokens} writes {@code a -> b} as {@code a ||
 * "#->" || b}, for {@code ||} has the rank of them all in PostgreSQL and takes its operands from the left; here that
 * becomes a call. CASTs to documents become calls too, so that no rule for texts takes them away.
 */
final class JsonOperators {
    /** The name that {@link JsonWords} gives to ROW among arguments. */
    static final String TUPLE = "#TUPLE";

    private static final String ITEMS = "_ITEMS";

    private JsonOperators() {}

    /** The call in its form; itself if it is no such call. */
    static SqlNode settled(SqlCall call) {
        if (call.getOperator().equals(SqlStdOperatorTable.CONCAT) && call.operandCount() == 2) {
            return ofConcat(call);
        }
        if (call.getKind() == SqlKind.CAST && call.operandCount() == 2) {
            JsonFunction cast = cast(call.operand(1));
            return cast == null ? call : cast.createCall(call.getParserPosition(), List.of(call.operand(0)));
        }
        if (call.getOperator().getName().equals(TUPLE)) {
            return WholeRows.ofValues(call);
        }
        if (call.getOperator().getName().equalsIgnoreCase(JsonFunctions.OF_ARRAY.getName())
                && call.operandCount() == 1
                && call.operand(0) instanceof SqlCall array) {
            return ofArray(call, array);
        }
        if (call.getKind() == SqlKind.FILTER && call.operand(0) instanceof SqlCall inner) {
            return filtered(call, inner);
        }
        return ofAggregate(call);
    }

    private static SqlNode ofConcat(SqlCall call) {
        if (call.operand(0) instanceof SqlBasicCall left
                && left.getOperator().equals(SqlStdOperatorTable.CONCAT)
                && left.operandCount() == 2
                && left.operand(1) instanceof SqlIdentifier mark
                && mark.isSimple()) {
            if (mark.getSimple().equals(ArrayFunctions.OVERLAPS.getName())) {
                return ArrayFunctions.OVERLAPS.createCall(mark.getParserPosition(), left.operand(0), call.operand(1));
            }
            JsonFunction function = JsonFunctions.OPERATORS.get(mark.getSimple());
            if (function != null) {
                SqlNode right = function.letter(1) == 'B' ? call.operand(1) : listed(call.operand(1));
                return function.createCall(mark.getParserPosition(), List.of(left.operand(0), right));
            }
        }
        return call;
    }

    /** {@code ARRAY['a', 'b']} as the text of an array. */
    private static SqlNode listed(SqlNode operand) {
        return operand instanceof SqlCall array && isList(array) && array.operandCount() > 0
                ? JsonFunctions.PATH.createCall(array.getParserPosition(), array.getOperandList())
                : operand;
    }

    private static boolean isList(SqlNode operand) {
        return operand.getKind() == SqlKind.ARRAY_VALUE_CONSTRUCTOR
                || (operand instanceof SqlCall call
                        && call.getOperator() instanceof ArrayFunction function
                        && function.function() == ScalarFunction.ARRAY_OF);
    }

    private static @Nullable JsonFunction cast(SqlNode type) {
        if (!(type instanceof SqlDataTypeSpec spec)) {
            return null;
        }
        TypeKind kind = kind(spec);
        return kind == null ? null : kind == TypeKind.JSON ? JsonFunctions.AS_JSON : JsonFunctions.AS_JSONB;
    }

    private static @Nullable TypeKind kind(SqlDataTypeSpec spec) {
        return switch (spec.getTypeNameSpec()) {
            case TypeName known -> known.kind;
            case SqlUserDefinedTypeNameSpec name
            when name.getTypeName().isSimple() ->
                switch (name.getTypeName().getSimple().toUpperCase(Locale.ROOT)) {
                    case "JSON" -> TypeKind.JSON;
                    case "JSONB" -> TypeKind.JSONB;
                    default -> null;
                };
            default -> null;
        };
    }

    /** The type with a name that Calcite knows; null if it is none of documents. */
    static @Nullable SqlDataTypeSpec known(SqlDataTypeSpec spec) {
        TypeKind kind = kind(spec);
        return kind == null
                ? null
                : new SqlDataTypeSpec(new TypeName(kind, spec.getParserPosition()), spec.getParserPosition());
    }

    /** JSON or JSONB as a CAST names it. */
    private static final class TypeName extends SqlBasicTypeNameSpec {
        private final TypeKind kind;

        TypeName(TypeKind kind, SqlParserPos place) {
            super(SqlTypeName.VARCHAR, place);
            this.kind = kind;
        }

        @Override
        public RelDataType deriveType(SqlValidator validator) {
            return JsonType.of(validator.getTypeFactory(), kind, true);
        }
    }

    private static SqlNode filtered(SqlCall filter, SqlCall inner) {
        SqlNode settled = ofAggregate(inner);
        if (settled instanceof SqlCall whole && whole.getOperator() instanceof JsonFunction) {
            SqlNode list =
                    filter.getOperator().createCall(filter.getParserPosition(), whole.operand(0), filter.operand(1));
            return whole.getOperator().createCall(whole.getParserPosition(), list);
        }
        return filter;
    }

    private static SqlNode ofAggregate(SqlCall call) {
        return switch (call.getOperator().getName()) {
            case "STRING_AGG" -> ofAggregate(call, mark(call));
            default -> {
                withLists(call);
                yield call;
            }
        };
    }

    /** The name of the aggregate that {@link JsonWords} has put before its arguments; empty for none. */
    private static String mark(SqlCall call) {
        return call.operandCount() > 1 && call.operand(0) instanceof SqlIdentifier name && name.isSimple()
                ? name.getSimple()
                : "";
    }

    private static SqlNode ofAggregate(SqlCall call, String mark) {
        return switch (mark) {
            case "#JSON_AGG" -> aggregate(call, "#JSON_ITEMS", 1);
            case "#JSONB_AGG" -> aggregate(call, "#JSONB_ITEMS", 1);
            case "#JSON_OBJECT_AGG" -> aggregate(call, "#JSON_PAIRS", 2);
            case "#JSONB_OBJECT_AGG" -> aggregate(call, "#JSONB_PAIRS", 2);
            default -> call;
        };
    }

    private static void withLists(SqlCall call) {
        if (call.getOperator().getName().startsWith("JSONB_")) {
            for (int i = 0; i < call.operandCount(); i++) {
                SqlNode operand = call.operand(i);
                if (operand.getKind() == SqlKind.ARRAY_VALUE_CONSTRUCTOR) {
                    call.setOperand(i, listed(operand));
                }
            }
        }
    }

    /** ARRAY_TO_JSON of ARRAY_AGG is the document of the values, whose arrays need not be there. */
    private static SqlNode ofArray(SqlCall call, SqlCall array) {
        boolean isAggregate = array.getOperator().getName().equalsIgnoreCase(DialectAggregate.OF_ARRAYS)
                && !(array.getOperator() instanceof DialectAggregate);
        List<SqlNode> operands = array.getOperandList();
        boolean isOrdered = operands.size() == 2 && operands.getLast() instanceof SqlNodeList;
        if (!isAggregate || operands.size() != (isOrdered ? 2 : 1)) {
            return call;
        }
        SqlParserPos place = call.getParserPosition();
        List<SqlNode> listed = new ArrayList<>();
        listed.add(JsonFunctions.ELEMENT.createCall(place, operands.getFirst()));
        listed.add(SqlLiteral.createCharString(",", place));
        listed.addAll(operands.subList(1, operands.size()));
        return whole("#JSON_ITEMS").createCall(place, List.of(AggregateForms.texts(array, listed)));
    }

    private static JsonFunction whole(String name) {
        return JsonFunctions.all().stream()
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** JSON_AGG and its kind are STRING_AGG of the texts of the parts. */
    private static SqlNode aggregate(SqlCall call, String whole, int arguments) {
        SqlParserPos place = call.getParserPosition();
        List<SqlNode> operands = call.getOperandList().subList(1, call.operandCount());
        boolean isOrdered = operands.getLast() instanceof SqlNodeList;
        if (operands.size() != arguments + (isOrdered ? 1 : 0)) {
            throw SqlErrors.at(
                    ErrorCode.UNDEFINED_OPERATION,
                    new Position(place.getLineNum(), place.getColumnNum()),
                    mark(call).substring(1) + " takes " + arguments + (arguments == 1 ? " argument" : " arguments"));
        }
        JsonFunction part = whole.endsWith(ITEMS) ? JsonFunctions.ITEM : JsonFunctions.PAIR;
        List<SqlNode> listed = new ArrayList<>();
        listed.add(part.createCall(place, operands.subList(0, arguments)));
        listed.add(SqlLiteral.createCharString(", ", place));
        listed.addAll(operands.subList(arguments, operands.size()));
        SqlNode list = AggregateForms.listed(call, listed);
        return whole(whole).createCall(place, List.of(list));
    }

    /**
     * Gives {@code ||} and {@code -} of a JSONB their own operators, in place. Refuses to compare documents without
     * equality.
     */
    static void settle(SqlValidator validator, SqlValidatorScope scope, SqlBasicCall call) {
        checkComparison(validator, scope, call);
        separate(validator, scope, call);
        subscript(validator, scope, call);
        boolean isConcat = call.getOperator().equals(SqlStdOperatorTable.CONCAT);
        boolean isMinus = call.getOperator().equals(SqlStdOperatorTable.MINUS);
        if ((!isConcat && !isMinus) || call.operandCount() != 2) {
            checkArithmetic(validator, scope, call);
            return;
        }
        boolean isOfDocuments = isOf(TypeKind.JSONB, validator, scope, call.operand(0))
                || (isConcat && isOf(TypeKind.JSONB, validator, scope, call.operand(1)));
        if (isMinus && isOfDocuments && isConcat(call.operand(1))) {
            throw SqlErrors.at(
                    ErrorCode.UNDEFINED_OPERATION,
                    new Position(
                            call.getParserPosition().getLineNum(),
                            call.getParserPosition().getColumnNum()),
                    "what is taken from a document is followed by ||; write (document - key) || other");
        }
        if (isOfDocuments && !(isConcat && isBesideText(validator, scope, call))) {
            call.setOperator(isConcat ? JsonFunctions.CONCAT : JsonFunctions.MINUS);
            call.setOperand(1, listed(call.operand(1)));
        }
    }

    /** {@code document['key']} and {@code document[0]}. */
    private static void subscript(SqlValidator validator, SqlValidatorScope scope, SqlBasicCall call) {
        if (call.getOperator().equals(ArrayFunctions.ITEM) && isOf(TypeKind.JSONB, validator, scope, call.operand(0))) {
            call.setOperator(JsonFunctions.SUBSCRIPT);
        }
    }

    /** JSON_AGG writes each array in a line of its own. */
    private static void separate(SqlValidator validator, SqlValidatorScope scope, SqlBasicCall call) {
        if (call.getOperator().equals(JsonFunctions.ITEM)
                && !(call.operand(0) instanceof SqlDynamicParam)
                && ArrayType.is(validator.deriveType(scope, call.operand(0)))) {
            call.setOperator(JsonFunctions.LINE);
        }
    }

    private static boolean isConcat(SqlNode operand) {
        return operand instanceof SqlCall call
                && (call.getOperator().equals(SqlStdOperatorTable.CONCAT)
                        || call.getOperator().equals(JsonFunctions.CONCAT));
    }

    /** Whether one of the operands is a text that is no literal. */
    private static boolean isBesideText(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
        return call.getOperandList().stream()
                .filter(operand -> !(operand instanceof SqlDynamicParam) && !isList(operand))
                .map(operand -> validator.deriveType(scope, operand))
                .anyMatch(type -> SqlTypeUtil.inCharFamily(type) && !JsonType.isAny(type) && !JsonType.isLiteral(type));
    }

    private static boolean isOf(TypeKind kind, SqlValidator validator, SqlValidatorScope scope, SqlNode operand) {
        return !(operand instanceof SqlDynamicParam) && JsonType.is(validator.deriveType(scope, operand), kind);
    }

    private static void checkArithmetic(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
        boolean isArithmetic = switch (call.getKind()) {
            case PLUS, TIMES, DIVIDE, MOD -> true;
            default -> false;
        };
        if (isArithmetic
                && call.getOperandList().stream()
                        .anyMatch(operand -> isOf(TypeKind.JSONB, validator, scope, operand)
                                || isOf(TypeKind.JSON, validator, scope, operand))) {
            throw SqlErrors.at(
                    ErrorCode.UNDEFINED_OPERATION,
                    new Position(
                            call.getParserPosition().getLineNum(),
                            call.getParserPosition().getColumnNum()),
                    "a document is no number; CAST it to one");
        }
    }

    /** Calcite would look for a type that is common to a document and, say, a number. */
    private static void checkComparison(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
        boolean isComparison = SqlKind.COMPARISON.contains(call.getKind())
                || call.getKind() == SqlKind.IS_DISTINCT_FROM
                || call.getKind() == SqlKind.IS_NOT_DISTINCT_FROM;
        if (!isComparison || call.operandCount() != 2 || call.operand(1) instanceof SqlNodeList) {
            return;
        }
        List<RelDataType> types = call.getOperandList().stream()
                .filter(operand -> !(operand instanceof SqlDynamicParam))
                .map(operand -> validator.deriveType(scope, operand))
                .toList();
        boolean isOfDocuments = types.stream().anyMatch(JsonType::isAny);
        if (isOfDocuments && !types.stream().allMatch(JsonOperators::isComparable)) {
            throw SqlErrors.at(
                    ErrorCode.UNDEFINED_OPERATION,
                    new Position(
                            call.getParserPosition().getLineNum(),
                            call.getParserPosition().getColumnNum()),
                    "JSONB compares with JSONB alone, and JSON, which is text as it was written, with nothing; CAST"
                            + " both to JSONB");
        }
    }

    private static boolean isComparable(RelDataType type) {
        return type.isStruct()
                || JsonType.is(type, TypeKind.JSONB)
                || JsonType.isLiteral(type)
                || type.getSqlTypeName() == SqlTypeName.NULL
                || type.getSqlTypeName() == SqlTypeName.UNKNOWN;
    }
}
