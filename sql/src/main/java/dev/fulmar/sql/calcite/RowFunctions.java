package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.RowFunction;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * Calls of functions that yield several rows, in FROM and in lists of columns. Those in FROM are tables, whose columns
 * have the names that PostgreSQL gives them. {@link RowItems} makes tables of the others.
 */
final class RowFunctions {
    static final String SERIES_NAME = "GENERATE_SERIES";

    /** The name of UNNEST, which is a word of the grammar. */
    static final String ELEMENTS_NAME = "#ELEMENTS";

    /** The name of the call that {@link RowFunctionWords} makes of functions in FROM. */
    static final String ROWS_NAME = "#ROWS";

    /** The same of functions WITH ORDINALITY. */
    static final String NUMBERED_NAME = "#NUMBERED";

    private static final String UNNEST = "UNNEST";
    private static final String ORDINALITY = "ORDINALITY";

    private RowFunctions() {}

    /** The function as a statement names it. */
    static String shown(RowFunction.Kind kind) {
        return kind == RowFunction.Kind.SERIES ? SERIES_NAME : UNNEST;
    }

    /** Changes the statement in place. */
    static void settle(@Nullable SqlNode node) {
        switch (node) {
            case SqlCall call -> {
                List<SqlNode> operands = call.getOperandList();
                for (int i = 0; i < operands.size(); i++) {
                    SqlNode table = table(operands.get(i));
                    if (table != null) {
                        call.setOperand(i, table);
                    }
                }
                call.getOperandList().forEach(RowFunctions::settle);
                if (call instanceof SqlSelect select) {
                    RowItems.settle(select);
                }
            }
            case SqlNodeList list -> list.forEach(RowFunctions::settle);
            case null, default -> {}
        }
    }

    /** The table of functions with its names; null if the node is another one. */
    private static @Nullable SqlNode table(@Nullable SqlNode node) {
        if (node == null) {
            return null;
        }
        if (node.getKind() == SqlKind.AS) {
            List<SqlNode> operands = ((SqlCall) node).getOperandList();
            SqlCall rows = rows(operands.getFirst());
            return rows == null
                    ? null
                    : named(
                            operands.getFirst(),
                            rows,
                            (SqlIdentifier) operands.get(1),
                            operands.subList(2, operands.size()));
        }
        SqlCall rows = rows(node);
        return rows == null ? null : named(node, rows, null, List.of());
    }

    /** The call of functions in FROM; null for any other table. */
    private static @Nullable SqlCall rows(SqlNode table) {
        SqlNode inner = table;
        while (inner.getKind() == SqlKind.LATERAL || inner.getKind() == SqlKind.COLLECTION_TABLE) {
            inner = ((SqlCall) inner).operand(0);
        }
        return inner instanceof SqlCall call && isNamed(call, ROWS_NAME, NUMBERED_NAME) ? call : null;
    }

    private static boolean isNamed(SqlCall call, String... names) {
        return call.getOperator() instanceof SqlFunction function
                && !(function instanceof RowsTable)
                && !(function instanceof ValuesFunction)
                && List.of(names).contains(function.getName());
    }

    /** The call as one of a function that yields several values; null for any other. */
    static @Nullable List<SqlNode> values(SqlNode node) {
        if (!(node instanceof SqlCall call) || !isNamed(call, SERIES_NAME, ELEMENTS_NAME)) {
            return null;
        }
        SqlParserPos place = call.getParserPosition();
        if (call.getOperator().getName().equals(SERIES_NAME)) {
            return List.of(ValuesFunction.SERIES.createCall(place, call.getOperandList()));
        }
        List<SqlNode> values = new ArrayList<>();
        call.getOperandList().forEach(array -> values.add(ValuesFunction.ELEMENTS.createCall(place, array)));
        return values;
    }

    /** The name that PostgreSQL gives to a column of the function's values. */
    static String columnName(SqlNode values) {
        return shown(((ValuesFunction) ((SqlCall) values).getOperator()).rowKind());
    }

    private static SqlNode named(SqlNode table, SqlCall rows, @Nullable SqlIdentifier alias, List<SqlNode> columns) {
        SqlParserPos place = rows.getParserPosition();
        List<SqlNode> functions = new ArrayList<>();
        for (SqlNode function : rows.getOperandList()) {
            List<SqlNode> values = values(function);
            if (values == null) {
                throw SqlErrors.at(
                        ErrorCode.NOT_SUPPORTED,
                        at(function.getParserPosition()),
                        "of functions in FROM there are generate_series and UNNEST, and procedures that stand alone");
            }
            functions.addAll(values);
        }
        boolean isNumbered = rows.getOperator().getName().equals(NUMBERED_NAME);
        SqlNode settled = lateral(functions, isNumbered, place);
        List<String> names = new ArrayList<>();
        for (SqlNode function : functions) {
            String name = functions.size() == 1 && alias != null ? alias.getSimple() : columnName(function);
            names.add(names.contains(name) ? SharedNames.another(name, names.size()) : name);
        }
        if (isNumbered) {
            names.add(ORDINALITY);
        }
        if (columns.size() > names.size()) {
            throw SqlErrors.at(
                    ErrorCode.INVALID_COLUMN_REFERENCE,
                    at(table.getParserPosition()),
                    "the functions have " + names.size() + " columns, and " + columns.size() + " are named");
        }
        List<SqlNode> operands = new ArrayList<>();
        operands.add(settled);
        operands.add(alias != null ? alias : new SqlIdentifier(columnName(functions.getFirst()), place));
        for (int i = 0; i < names.size(); i++) {
            operands.add(i < columns.size() ? columns.get(i) : new SqlIdentifier(names.get(i), place));
        }
        return SqlStdOperatorTable.AS.createCall(table.getParserPosition(), operands);
    }

    /** The table of the functions' values. */
    static SqlNode lateral(List<SqlNode> functions, boolean isNumbered, SqlParserPos place) {
        RowsTable operator = isNumbered ? RowsTable.NUMBERED : RowsTable.PLAIN;
        return SqlStdOperatorTable.LATERAL.createCall(
                place, SqlStdOperatorTable.COLLECTION_TABLE.createCall(place, operator.createCall(place, functions)));
    }

    static Position at(SqlParserPos position) {
        return new Position(position.getLineNum(), position.getColumnNum());
    }
}
