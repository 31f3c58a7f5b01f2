package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.MirroredName;
import dev.fulmar.engine.json.JsonWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.apache.calcite.sql.validate.SqlValidatorNamespace;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/**
 * Rows of tables, and those of ROW(...), as arguments of functions that make documents, as in {@code SELECT
 * row_to_json(t) FROM t}. The name of a table is a row where no column has it, as in PostgreSQL. The row becomes an
 * object of its columns, under the names that clients of PostgreSQL have for them.
 */
final class WholeRows {
    private static final String ROW_TO_JSON = "ROW_TO_JSON";

    /** Functions that make documents of values of any type. */
    private static final Set<String> FUNCTIONS = Set.of(
            ROW_TO_JSON,
            "TO_JSON",
            "TO_JSONB",
            "JSON_BUILD_ARRAY",
            "JSONB_BUILD_ARRAY",
            "JSON_BUILD_OBJECT",
            "JSONB_BUILD_OBJECT",
            JsonFunctions.ITEM.getName(),
            JsonFunctions.ELEMENT.getName(),
            JsonFunctions.PAIR.getName());

    /** The begin of names that Calcite gives to columns without one. */
    private static final String NAMELESS = "EXPR$";

    private final SqlNameMatcher matcher;
    private final SqlValidatorScope scope;
    private final SharedNames names;

    private WholeRows(SqlNameMatcher matcher, SqlValidatorScope scope, SharedNames names) {
        this.matcher = matcher;
        this.scope = scope;
        this.names = names;
    }

    /**
     * A table in a scope.
     *
     * @param isNullable whether an outer join may put NULL in place of its rows
     */
    private record Found(SqlValidatorNamespace table, boolean isNullable) {}

    /** Changes expressions of one query in place; queries in them have scopes of their own. */
    static void settle(SqlNameMatcher matcher, SqlValidatorScope scope, SharedNames names, @Nullable SqlNode node) {
        new WholeRows(matcher, scope, names).settle(node);
    }

    private void settle(@Nullable SqlNode node) {
        if (node instanceof SqlNodeList list) {
            list.forEach(this::settle);
        } else if (node instanceof SqlCall call && !SqlKind.QUERY.contains(call.getKind())) {
            if (FUNCTIONS.contains(call.getOperator().getName())) {
                ofArguments(call);
            }
            call.getOperandList().forEach(this::settle);
        }
    }

    private void ofArguments(SqlCall call) {
        boolean isOfRow = call.getOperator().getName().equals(ROW_TO_JSON);
        int rows = isOfRow ? 1 : call.operandCount();
        for (int i = 0; i < Math.min(rows, call.operandCount()); i++) {
            SqlNode row = row(call.operand(i), isOfRow && isPretty(call) ? ",\n " : ",");
            if (row != null) {
                call.setOperand(i, row);
                if (isOfRow) {
                    ((SqlBasicCall) call).setOperator(JsonFunctions.OF_ROW);
                } else if (call.getOperator().equals(JsonFunctions.ITEM)) {
                    ((SqlBasicCall) call).setOperator(JsonFunctions.LINE);
                }
            }
        }
    }

    private static boolean isPretty(SqlCall call) {
        if (call.operandCount() < 2) {
            return false;
        }
        if (call.operand(1) instanceof SqlLiteral literal && literal.getValue() instanceof Boolean isPretty) {
            return isPretty;
        }
        throw refused(call, "whether ROW_TO_JSON writes lines is TRUE or FALSE, and no other expression");
    }

    /** The row that the argument is, as a document; null if it is none. */
    private @Nullable SqlNode row(SqlNode argument, String separator) {
        if (argument instanceof SqlCall call && call.getOperator().equals(JsonFunctions.ROW)) {
            return values(valuesOf(call), separator, call.getParserPosition());
        }
        if (!(argument instanceof SqlIdentifier name)) {
            return null;
        }
        boolean isStar = name.isStar() && name.names.size() == 2;
        if (!isStar && (!name.isSimple() || isColumn(name))) {
            return null;
        }
        String alias = name.names.getFirst();
        return find(alias).map(found -> ofTable(found, alias, separator, name)).orElse(null);
    }

    /** ROW(...) as a document. */
    static SqlNode ofValues(SqlCall call) {
        return values(call.getOperandList(), ",", call.getParserPosition());
    }

    private static SqlNode values(List<SqlNode> values, String separator, SqlParserPos place) {
        List<String> keys = new ArrayList<>();
        for (int i = 1; i <= values.size(); i++) {
            keys.add("f" + i);
        }
        return object(SqlLiteral.createBoolean(true, place), keys, values, separator, place);
    }

    private static List<SqlNode> valuesOf(SqlCall row) {
        List<SqlNode> values = new ArrayList<>();
        for (int i = 2; i < row.operandCount(); i += 2) {
            values.add(row.operand(i));
        }
        return values;
    }

    private boolean isColumn(SqlIdentifier name) {
        return !scope.findQualifyingTableNames(name.getSimple(), name, matcher).isEmpty();
    }

    private Optional<Found> find(String alias) {
        List<Found> all = new ArrayList<>();
        scope.resolve(List.of(alias), matcher, false, new SqlValidatorScope.Resolved() {
            @Override
            public void found(
                    SqlValidatorNamespace namespace,
                    boolean nullable,
                    @Nullable SqlValidatorScope where,
                    SqlValidatorScope.Path path,
                    @Nullable List<String> remainingNames) {
                if (remainingNames == null || remainingNames.isEmpty()) {
                    all.add(new Found(namespace, nullable));
                }
            }

            @Override
            public int count() {
                return all.size();
            }
        });
        return all.size() == 1 ? Optional.of(all.getFirst()) : Optional.empty();
    }

    private SqlNode ofTable(Found found, String alias, String separator, SqlIdentifier name) {
        SqlParserPos place = name.getParserPosition();
        List<RelDataTypeField> fields = found.table.getRowType().getFieldList();
        List<String> keys = new ArrayList<>();
        List<SqlNode> values = new ArrayList<>();
        for (RelDataTypeField field : fields) {
            if (field.getName().startsWith(NAMELESS)) {
                throw refused(name, "a column of the row has no name; give it one with AS");
            }
            keys.add(MirroredName.of(names.shown(field.getName())));
            values.add(column(alias, field, place));
        }
        SqlNode mark = found.isNullable ? mark(alias, fields, name) : SqlLiteral.createBoolean(true, place);
        return object(mark, keys, values, separator, place);
    }

    private static SqlNode column(String alias, RelDataTypeField field, SqlParserPos place) {
        return new SqlIdentifier(List.of(alias, field.getName()), place);
    }

    /** A column that is NULL only where there is no row. */
    private static SqlNode mark(String alias, List<RelDataTypeField> fields, SqlIdentifier name) {
        for (RelDataTypeField field : fields) {
            RelDataType type = field.getType();
            if (!type.isNullable()) {
                return column(alias, field, name.getParserPosition());
            }
        }
        throw refused(
                name,
                "a row that an outer join may leave out needs a column that is NOT NULL, which tells that it is there;"
                        + " name the columns with JSON_BUILD_OBJECT");
    }

    private static SqlNode object(
            SqlNode mark, List<String> keys, List<SqlNode> values, String separator, SqlParserPos place) {
        List<SqlNode> operands = new ArrayList<>();
        operands.add(mark);
        for (int i = 0; i < keys.size(); i++) {
            String before = (i == 0 ? "{" : separator) + JsonWriter.quoted(keys.get(i)) + ":";
            operands.add(SqlLiteral.createCharString(before, place));
            operands.add(values.get(i));
        }
        operands.add(SqlLiteral.createCharString(keys.isEmpty() ? "{}" : "}", place));
        return JsonFunctions.ROW.createCall(place, operands);
    }

    private static FulmarException refused(SqlNode node, String message) {
        SqlParserPos place = node.getParserPosition();
        return SqlErrors.at(ErrorCode.NOT_SUPPORTED, new Position(place.getLineNum(), place.getColumnNum()), message);
    }
}
