package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;

/** Finds how many columns a query in an INSERT has, as far as its text and the catalog say so. */
record SourceWidth(Catalog catalog) {
    /** The number of columns of the query; 0 if it is not known. */
    int of(SqlNode query) {
        return of(query, true);
    }

    /** @param hasTables whether names in FROM are those of tables, and of no queries of the statement */
    private int of(SqlNode query, boolean hasTables) {
        return switch (query) {
            case SqlOrderBy order -> of(order.query, hasTables);
            case SqlWith with -> of(with.body, false);
            case SqlSelect select ->
                hasStar(select)
                        ? ofStar(select, hasTables)
                        : select.getSelectList().size();
            case SqlCall united when SqlKind.SET_QUERY.contains(united.getKind()) -> of(united.operand(0), hasTables);
            case SqlCall values
            when values.getKind() == SqlKind.VALUES -> {
                List<Integer> widths = values.getOperandList().stream()
                        .map(row -> row instanceof SqlCall call ? call.operandCount() : 0)
                        .distinct()
                        .toList();
                yield widths.size() == 1 ? widths.getFirst() : 0;
            }
            default -> 0;
        };
    }

    private static boolean hasStar(SqlSelect select) {
        return select.getSelectList().stream().anyMatch(item -> item instanceof SqlIdentifier name && name.isStar());
    }

    /** The columns of a table, of which the query has all and no others. */
    private int ofStar(SqlSelect select, boolean hasTables) {
        SqlNodeList list = select.getSelectList();
        SqlNode from = select.getFrom();
        boolean isAliased = from != null
                && from.getKind() == SqlKind.AS
                && from instanceof SqlCall call
                && call.operandCount() == 2;
        SqlNode named = isAliased && from instanceof SqlCall call ? call.operand(0) : from;
        if (!hasTables || list.size() != 1 || !(named instanceof SqlIdentifier name)) {
            return 0;
        }
        Table table = GivenValues.table(name, catalog);
        return table == null ? 0 : table.visibleColumns().size();
    }
}
