package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.data.ColumnType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;

/**
 * Types the parameters that are columns of a MERGE's source by themselves, {@code USING (VALUES (?, ?)) AS s (a, b)}.
 * Each is of the type of the table's column that the source's is compared with in ON, or that it is stored in.
 */
final class MergeSource {
    private final Table table;
    private final String alias;
    private final SqlParser.Config parser;
    private final Map<String, ColumnType> types = new HashMap<>();

    /** @param alias what the MERGE calls the table */
    MergeSource(Table table, String alias, SqlParser.Config parser) {
        this.table = table;
        this.alias = alias;
        this.parser = parser;
    }

    /** Learns from the equalities that the condition demands. */
    void compare(SqlNode condition) {
        if (!(condition instanceof SqlCall call)) {
            return;
        }
        if (call.getKind() == SqlKind.AND) {
            call.getOperandList().forEach(this::compare);
        } else if (call.getKind() == SqlKind.EQUALS) {
            compare(call.operand(0), call.operand(1));
            compare(call.operand(1), call.operand(0));
        }
    }

    private void compare(SqlNode ofTable, SqlNode ofSource) {
        if (ofTable instanceof SqlIdentifier name
                && (name.isSimple() || name.names.getFirst().equals(alias))
                && table.columnIndex(name.names.getLast()) >= 0) {
            store(ofSource, table.columns().get(table.columnIndex(name.names.getLast())));
        }
    }

    /** Learns from what is stored in the column. */
    void store(SqlNode value, Column column) {
        if (value instanceof SqlIdentifier name
                && !name.isStar()
                && !name.names.getFirst().equals(alias)) {
            types.putIfAbsent(name.names.getLast(), column.type());
        }
    }

    /** Says the types in the source, in place. */
    void settle(SqlNode source) throws SqlParseException {
        if (!(source instanceof SqlCall call) || call.getKind() != SqlKind.AS) {
            return;
        }
        List<String> names = new ArrayList<>();
        call.getOperandList().stream().skip(2).forEach(name -> names.add(((SqlIdentifier) name).getSimple()));
        SqlNode query = call.operand(0);
        if (query.getKind() == SqlKind.VALUES) {
            for (SqlNode row : ((SqlCall) query).getOperandList()) {
                settleRow((SqlCall) row, names);
            }
        } else if (query instanceof SqlSelect select) {
            settleItems(select.getSelectList(), names);
        }
    }

    private void settleRow(SqlCall row, List<String> names) throws SqlParseException {
        for (int i = 0; i < row.operandCount() && i < names.size(); i++) {
            row.setOperand(i, typed(row.operand(i), names.get(i)));
        }
    }

    private void settleItems(SqlNodeList items, List<String> names) throws SqlParseException {
        for (int i = 0; i < items.size(); i++) {
            SqlNode item = items.get(i);
            if (item.getKind() == SqlKind.AS) {
                SqlCall named = (SqlCall) item;
                String name = i < names.size() ? names.get(i) : ((SqlIdentifier) named.operand(1)).getSimple();
                named.setOperand(0, typed(named.operand(0), name));
            } else if (i < names.size()) {
                items.set(i, typed(item, names.get(i)));
            }
        }
    }

    private SqlNode typed(SqlNode value, String name) throws SqlParseException {
        ColumnType type = types.get(name);
        if (type == null || !(value instanceof SqlDynamicParam)) {
            return value;
        }
        SqlCall cast =
                (SqlCall) SqlParser.create("CAST(NULL AS " + type + ")", parser).parseExpression();
        return cast.getOperator().createCall(value.getParserPosition(), value, cast.operand(1));
    }
}
