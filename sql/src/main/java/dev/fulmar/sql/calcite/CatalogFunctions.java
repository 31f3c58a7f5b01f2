package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUserDefinedTypeNameSpec;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.NlsString;

/**
 * Brings statements about PG_CATALOG into a form that Calcite knows. They have functions of PostgreSQL about objects,
 * casts to its types of object names, and arrays that are text here.
 */
final class CatalogFunctions {
    /** Columns whose arrays are of numbers. */
    private static final List<String> NUMBERS =
            List.of("CONKEY", "CONFKEY", "INDKEY", "INDOPTION", "INDCLASS", "INDCOLLATION", "PROARGTYPES", "GROLIST");

    private static final Set<String> NUMBER_TYPES = Set.of("OID", "XID", "CID", "INT4", "INT", "INTEGER");

    private static final Set<String> TEXT_TYPES = Set.of(
            "TEXT",
            "NAME",
            "CHAR",
            "BPCHAR",
            "VARCHAR",
            "CSTRING",
            "REGPROC",
            "REGPROCEDURE",
            "REGOPER",
            "REGOPERATOR",
            "INT2VECTOR",
            "OIDVECTOR",
            "ACLITEM",
            "INFORMATION_SCHEMA.SQL_IDENTIFIER");

    private final CatalogLookups lookups;

    private CatalogFunctions(CatalogLookups lookups) {
        this.lookups = lookups;
    }

    /** Changes the statement in place. */
    static void settle(SqlNode statement, CatalogLookups lookups) {
        new CatalogFunctions(lookups).settle(statement);
    }

    private void settle(SqlNode statement) {
        Deque<SqlNode> open = new ArrayDeque<>();
        open.push(statement);
        while (!open.isEmpty()) {
            SqlNode node = open.pop();
            if (node instanceof SqlNodeList list) {
                for (int i = 0; i < list.size(); i++) {
                    SqlNode item = list.get(i);
                    if (item != null) {
                        SqlNode settled = settled(item);
                        list.set(i, settled);
                        open.push(settled);
                    }
                }
            } else if (node instanceof SqlCall call) {
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
                SqlNode settled = settled(operand);
                if (settled != operand) {
                    call.setOperand(i, settled);
                }
                open.push(settled);
            }
        }
    }

    /** The node that stands for this one; a replacement may have to be replaced itself. */
    @SuppressWarnings("ReferenceEquality") // whether the very node was replaced
    private SqlNode settled(SqlNode node) {
        SqlNode last = node;
        while (last instanceof SqlCall call) {
            SqlNode next = replacement(call);
            if (next == last) {
                return next;
            }
            last = next;
        }
        return last;
    }

    private SqlNode replacement(SqlCall call) {
        boolean isCast =
                call.getKind() == SqlKind.CAST || call.getOperator().getName().equals("::");
        if (isCast && call.operandCount() == 2 && call.operand(1) instanceof SqlDataTypeSpec type) {
            return cast(call, type);
        }
        if (call.getOperator() instanceof SqlQuantifyOperator quantifier
                && call.operand(1) instanceof SqlNodeList list) {
            return quantified(call, quantifier, list);
        }
        if (call.getKind() == SqlKind.ITEM) {
            return item(call);
        }
        if (call.getOperator() instanceof SqlFunction function
                && function.getNameAsId().names.size() == 2) {
            SqlIdentifier name = function.getNameAsId();
            if (name.names.getFirst().equals(SchemaName.POSTGRES_CATALOG)) {
                return function(name.names.get(1).toUpperCase(Locale.ROOT), call);
            }
        }
        return call;
    }

    // Functions.

    private SqlNode function(String name, SqlCall call) {
        List<SqlNode> operands = call.getOperandList();
        return switch (name) {
            case "FORMAT_TYPE" ->
                isNull(operands, 1) ? SqlTemplate.TYPE_NAME.of(operands) : SqlTemplate.TYPE_WITH_MODIFIER.of(operands);
            case "PG_GET_INDEXDEF" ->
                operands.size() > 1 && !isZero(operands.get(1))
                        ? SqlTemplate.INDEX_COLUMN.of(operands)
                        : SqlTemplate.INDEX.of(operands);
            case "PG_GET_VIEWDEF" ->
                SqlTemplate.VIEW.of(
                        operands.getFirst() instanceof SqlCharStringLiteral view ? List.of(relation(view)) : operands);
            default -> {
                SqlTemplate template = SqlTemplate.ofFunction(name);
                if (template == null) {
                    throw SqlErrors.at(
                            ErrorCode.NOT_SUPPORTED,
                            position(call),
                            "the function " + name.toLowerCase(Locale.ROOT)
                                    + " of PostgreSQL is not supported; docs/POSTGRESQL.md lists those that are");
                }
                yield template.of(operands);
            }
        };
    }

    private static boolean isNull(List<SqlNode> operands, int place) {
        return operands.size() <= place
                || (operands.get(place) instanceof SqlLiteral literal && literal.getTypeName() == SqlTypeName.NULL);
    }

    private static boolean isZero(SqlNode node) {
        return node instanceof SqlLiteral literal
                && String.valueOf(literal.toValue()).equals("0");
    }

    // Casts.

    private SqlNode cast(SqlCall call, SqlDataTypeSpec type) {
        if (!(type.getTypeNameSpec() instanceof SqlUserDefinedTypeNameSpec named)) {
            return call;
        }
        List<String> names = named.getTypeName().names;
        String name = names.getLast().toUpperCase(Locale.ROOT);
        SqlNode value = call.operand(0);
        if (TEXT_TYPES.contains(name)) {
            return name.startsWith("REGPROC") && value instanceof SqlCharStringLiteral literal
                    ? SqlLiteral.createCharString(withoutSchema(text(literal)), literal.getParserPosition())
                    : typed(call, type, SqlTypeName.VARCHAR);
        }
        if (NUMBER_TYPES.contains(name)) {
            return typed(call, type, SqlTypeName.INTEGER);
        }
        return switch (name) {
            case "REGCLASS" -> relation(value);
            case "REGTYPE" ->
                value instanceof SqlCharStringLiteral literal ? typeNumber(literal) : named("TYPE_NAME", value);
            case "REGNAMESPACE" -> named("SCHEMA_NAME", value);
            case "REGROLE" -> named("ROLE_NAME", value);
            default -> {
                if (names.size() > 1) {
                    SqlIdentifier simple = new SqlIdentifier(name, type.getParserPosition());
                    call.setOperand(
                            1,
                            new SqlDataTypeSpec(
                                    new SqlUserDefinedTypeNameSpec(simple, type.getParserPosition()),
                                    type.getParserPosition()));
                }
                yield call;
            }
        };
    }

    private static SqlNode named(String template, SqlNode value) {
        return SqlTemplate.named(template).of(List.of(value));
    }

    private static SqlNode typed(SqlCall call, SqlDataTypeSpec type, SqlTypeName meant) {
        SqlParserPos position = type.getParserPosition();
        SqlDataTypeSpec known = new SqlDataTypeSpec(new SqlBasicTypeNameSpec(meant, position), position);
        return SqlStdOperatorTable.CAST.createCall(call.getParserPosition(), call.operand(0), known);
    }

    /** Of a name its OID; of an OID that some row has, its name. */
    private SqlNode relation(SqlNode value) {
        if (value instanceof SqlCharStringLiteral literal) {
            String name = text(literal).strip();
            if (!name.isEmpty() && name.chars().allMatch(Character::isDigit)) {
                return SqlLiteral.createExactNumeric(name, literal.getParserPosition());
            }
            Long number = lookups.relations().get(folded(name));
            if (number == null) {
                throw SqlErrors.at(
                        ErrorCode.UNKNOWN_OBJECT, position(literal), "relation \"" + name + "\" does not exist");
            }
            return SqlLiteral.createExactNumeric(number.toString(), literal.getParserPosition());
        }
        if (value instanceof SqlDynamicParam || isText(value)) {
            return named("TO_REGCLASS", value);
        }
        return value instanceof SqlLiteral ? value : named("RELATION_NAME", value);
    }

    /** Whether an expression is text by its form. */
    private static boolean isText(SqlNode value) {
        return value instanceof SqlCall call
                && (call.getOperator().getName().equals("||")
                        || (call.getOperator() instanceof SqlFunction function
                                && function.getNameAsId().names.getLast().equals("PG_GET_SERIAL_SEQUENCE"))
                        || (call.getKind() == SqlKind.CAST
                                && call.operand(1) instanceof SqlDataTypeSpec type
                                && type.getTypeName().getSimple().equals("VARCHAR")));
    }

    /** Names without quotes are folded to lower case. */
    private static String folded(String name) {
        StringBuilder folded = new StringBuilder();
        boolean isQuoted = false;
        for (char character : name.toCharArray()) {
            isQuoted ^= character == '"';
            folded.append(isQuoted ? character : Character.toLowerCase(character));
        }
        String text = folded.toString();
        boolean needsNoQuotes = text.matches("\"[a-z_][a-z0-9_$]*\"");
        return needsNoQuotes ? text.substring(1, text.length() - 1) : text;
    }

    private SqlNode typeNumber(SqlCharStringLiteral literal) {
        Long number = lookups.types().get(withoutSchema(text(literal)).toLowerCase(Locale.ROOT));
        if (number == null) {
            throw SqlErrors.at(
                    ErrorCode.UNKNOWN_OBJECT, position(literal), "type \"" + text(literal) + "\" does not exist");
        }
        return SqlLiteral.createExactNumeric(number.toString(), literal.getParserPosition());
    }

    private static String withoutSchema(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static String text(SqlCharStringLiteral literal) {
        NlsString text = literal.getValueAs(NlsString.class);
        return text == null ? "" : text.getValue();
    }

    // Arrays.

    private static SqlNode quantified(SqlCall call, SqlQuantifyOperator quantifier, SqlNodeList list) {
        boolean isIn = quantifier.comparisonKind == SqlKind.EQUALS && quantifier.getKind() == SqlKind.SOME;
        boolean isNotIn = quantifier.comparisonKind == SqlKind.NOT_EQUALS && quantifier.getKind() == SqlKind.ALL;
        if (list.size() != 1 || !(isIn || isNotIn)) {
            return call;
        }
        SqlNode array = list.get(0);
        SqlParserPos position = call.getParserPosition();
        if (array.getKind() == SqlKind.ARRAY_VALUE_CONSTRUCTOR) {
            SqlNodeList items = new SqlNodeList(((SqlCall) array).getOperandList(), array.getParserPosition());
            return (isIn ? SqlStdOperatorTable.IN : SqlStdOperatorTable.NOT_IN)
                    .createCall(position, call.operand(0), items);
        }
        return SqlTemplate.named(isIn ? "HAS_ELEMENT" : "HAS_NOT_ELEMENT").of(List.of(array, call.operand(0)));
    }

    private static SqlNode item(SqlCall call) {
        SqlNode array = call.operand(0);
        boolean isOfNumbers = array instanceof SqlIdentifier name
                && NUMBERS.stream().anyMatch(name.names.getLast().toUpperCase(Locale.ROOT)::endsWith);
        return SqlTemplate.named(isOfNumbers ? "NUMBER_ELEMENT" : "ELEMENT").of(call.getOperandList());
    }

    private static Position position(SqlNode node) {
        return new Position(
                node.getParserPosition().getLineNum(), node.getParserPosition().getColumnNum());
    }
}
