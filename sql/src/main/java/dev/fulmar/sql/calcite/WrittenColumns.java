package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * {@code SELECT "#WRITTEN" FROM table} yields the columns to which statements give values, which are all but the
 * generated ones. So COPY and dumps read what can be loaded again.
 */
final class WrittenColumns {
    private WrittenColumns() {}

    /** Puts the columns in place of the mark. */
    static void settle(SqlNode statement, Catalog catalog) {
        SqlNode query = statement instanceof SqlOrderBy order ? order.query : statement;
        if (!(query instanceof SqlSelect select)
                || select.getSelectList().size() != 1
                || !(select.getSelectList().get(0) instanceof SqlIdentifier mark)
                || !mark.names.getLast().equals(Table.WRITTEN_COLUMNS)
                || !(select.getFrom() instanceof SqlIdentifier name)) {
            return;
        }
        SqlParserPos place = mark.getParserPosition();
        Table table = catalog.tables()
                .get(
                        name.isSimple()
                                ? name.getSimple()
                                : SchemaName.qualified(name.names.getFirst(), name.names.get(1)));
        SqlNodeList columns = new SqlNodeList(place);
        if (table == null) {
            columns.add(SqlIdentifier.star(place)); // of a view
        } else {
            table.visibleColumns().stream()
                    .filter(column -> !column.isGenerated())
                    .forEach(column -> columns.add(new SqlIdentifier(column.name(), place)));
        }
        select.setSelectList(columns);
    }
}
