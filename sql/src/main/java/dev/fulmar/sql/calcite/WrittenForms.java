package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.SqlUserDefinedTypeNameSpec;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.NlsString;
import org.jspecify.annotations.Nullable;

/**
 * Brings SQL that can be written in several ways into the form that Calcite knows. So it does with the type names that
 * CREATE TABLE takes, and with text with escaped characters. Refuses by name what Calcite's grammar has and Calcite
 * then ignores or stumbles over. Invariant: nothing that is written is left out of the answer.
 */
final class WrittenForms {
    /** A date with the year 0, a year of more than four digits, or one with a sign. */
    private static final Pattern BEYOND_YEARS = Pattern.compile("(?:[+-]\\d+|0+|0*[1-9]\\d{4,})-\\d");

    private static final Pattern INFINITY = Pattern.compile("[+-]?infinity", Pattern.CASE_INSENSITIVE);

    private final Catalog catalog;

    private WrittenForms(Catalog catalog) {
        this.catalog = catalog;
    }

    /** An expression in its form, which may be another one. */
    static SqlNode settledExpression(SqlNode expression, Catalog catalog) {
        SqlNodeList alone = SqlNodeList.of(expression);
        settle(alone, catalog);
        return alone.get(0);
    }

    /** Changes the statement in place. */
    static void settle(SqlNode statement, Catalog catalog) {
        new WrittenForms(catalog).settle(statement);
    }

    @SuppressWarnings("ReferenceEquality") // whether the very node was replaced
    private void settle(SqlNode statement) {
        Deque<SqlNode> open = new ArrayDeque<>();
        open.push(statement);
        while (!open.isEmpty()) {
            SqlNode node = open.pop();
            if (node instanceof SqlNodeList list) {
                for (int i = 0; i < list.size(); i++) {
                    SqlNode item = list.get(i);
                    if (item != null) {
                        SqlNode settled = settled(IntervalOperators.ofOperand(list, item));
                        if (settled != item) {
                            list.set(i, settled);
                        }
                        open.push(settled);
                    }
                }
            } else if (node instanceof SqlCall call) {
                check(call);
                GroupFrames.settle(call);
                complete(call);
                ofCall(call, open);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // whether the very node was replaced
    private void ofCall(SqlCall call, Deque<SqlNode> open) {
        List<SqlNode> operands = call.getOperandList();
        for (int i = 0; i < operands.size(); i++) {
            SqlNode operand = operands.get(i);
            if (operand != null) {
                SqlNode settled = settled(IntervalOperators.ofOperand(call, operand));
                if (settled != operand) {
                    call.setOperand(i, settled);
                }
                open.push(settled);
            }
        }
    }

    /** Writes down the end of a frame that has a start alone; Calcite takes it for one at a distance. */
    private static void complete(SqlCall call) {
        if (call instanceof SqlWindow window && window.getLowerBound() != null && window.getUpperBound() == null) {
            window.setUpperBound(
                    SqlWindow.createCurrentRow(window.getLowerBound().getParserPosition()));
        }
    }

    private SqlNode settled(SqlNode node) {
        return switch (node) {
            case SqlDataTypeSpec type -> known(type);
            case SqlCharStringLiteral text -> inOneCharset(text);
            case SqlUnknownLiteral literal -> checked(literal);
            case SqlCall call -> ofCall(call);
            default -> node;
        };
    }

    private SqlNode ofCall(SqlCall written) {
        SqlCall call = UserFunctionOperator.withoutSchema(written, catalog);
        if (EnumOperators.settled(call, catalog) instanceof SqlCall cast && cast.getOperator() instanceof EnumCast) {
            return cast;
        }
        SqlNode quotient = NumericOperators.settled(call);
        if (!quotient.equals(call)) {
            return quotient;
        }
        SqlNode array = ArraySyntax.settled(call);
        if (!array.equals(call)) {
            return array;
        }
        SqlNode cast = IntervalOperators.settled(call);
        SqlNode settled = cast instanceof SqlCall known ? JsonOperators.settled(known) : cast;
        return settled instanceof SqlCall document ? AggregateForms.settled(document, catalog) : call;
    }

    static SqlDataTypeSpec known(SqlDataTypeSpec type) {
        SqlDataTypeSpec document = JsonOperators.known(type);
        if (document != null) {
            return document;
        }
        SqlDataTypeSpec numeric = NumericOperators.known(type);
        if (numeric != null) {
            return numeric;
        }
        SqlDataTypeSpec interval = IntervalOperators.known(type);
        if (interval != null) {
            return interval;
        }
        if (type.getTypeNameSpec() instanceof SqlBasicTypeNameSpec standard
                && standard.getTypeName().getSimple().equals(SqlTypeName.CHAR.name())) {
            return new SqlDataTypeSpec(new CharTypeName(standard), type.getParserPosition());
        }
        if (type.getTypeNameSpec() instanceof SqlBasicTypeNameSpec zoned
                && zoned.getTypeName().getSimple().equals(SqlTypeName.TIMESTAMP_TZ.name())) {
            return new SqlDataTypeSpec(
                    new SqlBasicTypeNameSpec(
                            SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, zoned.getPrecision(), zoned.getParserPos()),
                    type.getParserPosition());
        }
        if (!(type.getTypeNameSpec() instanceof SqlUserDefinedTypeNameSpec name)
                || !name.getTypeName().isSimple()) {
            return type;
        }
        SqlTypeName meant = standardName(name.getTypeName().getSimple().toUpperCase(Locale.ROOT));
        return meant == null
                ? type
                : new SqlDataTypeSpec(new SqlBasicTypeNameSpec(meant, name.getParserPos()), type.getParserPosition());
    }

    private static @Nullable SqlTypeName standardName(String name) {
        return switch (name) {
            case "BOOL" -> SqlTypeName.BOOLEAN;
            case "INT1" -> SqlTypeName.TINYINT;
            case "INT2" -> SqlTypeName.SMALLINT;
            case "INT4" -> SqlTypeName.INTEGER;
            case "INT8" -> SqlTypeName.BIGINT;
            case "FLOAT4" -> SqlTypeName.REAL;
            case "FLOAT8" -> SqlTypeName.DOUBLE;
            case "STRING", "TEXT" -> SqlTypeName.VARCHAR;
            case "BYTEA" -> SqlTypeName.VARBINARY;
            case "TIMESTAMPTZ" -> SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
            default -> null;
        };
    }

    /** All text is UTF-8; Calcite takes that of {@code U&'...'} for another kind of text. */
    private static SqlNode inOneCharset(SqlCharStringLiteral literal) {
        NlsString text = literal.getValueAs(NlsString.class);
        return text != null && text.getCharsetName() != null
                ? SqlLiteral.createCharString(text.getValue(), literal.getParserPosition())
                : literal;
    }

    private static SqlNode checked(SqlUnknownLiteral literal) {
        SqlTypeName type = switch (literal.tag) {
            case "DATE" -> SqlTypeName.DATE;
            case "TIME" -> SqlTypeName.TIME;
            case "TIMESTAMP" -> SqlTypeName.TIMESTAMP;
            default -> null;
        };
        if (type != null) {
            if (INFINITY.matcher(literal.getValue().strip()).matches() && type != SqlTypeName.TIME) {
                return infinity(literal, type);
            }
            if (BEYOND_YEARS.matcher(literal.getValue().strip()).lookingAt()) {
                throw outOfRange(literal);
            }
            try {
                literal.resolve(type);
            } catch (IllegalArgumentException e) {
                throw outOfRange(literal);
            }
        }
        return literal;
    }

    /** Calcite has no literal of it. */
    private static SqlNode infinity(SqlUnknownLiteral literal, SqlTypeName type) {
        SqlParserPos place = literal.getParserPosition();
        return SqlStdOperatorTable.CAST.createCall(
                place,
                SqlLiteral.createCharString(literal.getValue(), place),
                new SqlDataTypeSpec(new SqlBasicTypeNameSpec(type, place), place));
    }

    private static FulmarException outOfRange(SqlUnknownLiteral literal) {
        return SqlErrors.at(
                ErrorCode.DATETIME_OUT_OF_RANGE,
                position(literal),
                "'" + literal.getValue() + "' is no " + literal.tag + "; years go from 0001 to 9999");
    }

    private static void check(SqlCall call) {
        if (call.getKind() == SqlKind.TABLESAMPLE) {
            throw refused(call, "TABLESAMPLE is not supported; a condition on a key chooses some of the rows");
        }
        if (call.getKind() == SqlKind.WITHIN_DISTINCT) {
            throw refused(call, "WITHIN DISTINCT is not supported; aggregate over a query with SELECT DISTINCT");
        }
        if (call instanceof SqlOrderBy order && order.orderList.stream().anyMatch(SqlDynamicParam.class::isInstance)) {
            throw refused(call, "ORDER BY takes no parameter, which would be one value for all rows; name the column");
        }
    }

    private static FulmarException refused(SqlCall call, String message) {
        return SqlErrors.at(ErrorCode.NOT_SUPPORTED, position(call), message);
    }

    private static Position position(SqlNode node) {
        return new Position(
                node.getParserPosition().getLineNum(), node.getParserPosition().getColumnNum());
    }
}
