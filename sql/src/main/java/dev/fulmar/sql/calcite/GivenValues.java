package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.OverridingClause;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** The values that a write gives to columns: defaults where it says so, and nothing to those that are always drawn. */
final class GivenValues {
    /** The place of the columns' names among the operands of an INSERT. */
    private static final int COLUMN_LIST = 3;

    private final Catalog catalog;
    private final SqlParser.Config parser;
    private final OverridingClause.Values values;

    /** @param values that count for columns which draw numbers */
    GivenValues(Catalog catalog, SqlParser.Config parser, OverridingClause.Values values) {
        this.catalog = catalog;
        this.parser = parser;
        this.values = values;
    }

    void settle(SqlNode statement) throws SqlParseException {
        if (statement instanceof SqlInsert insert) {
            Table table = table(insert.getTargetTable());
            if (table != null) {
                InsertedRows.settleRowOfDefaults(insert, table);
            }
            if (table != null) {
                settleLeftOut(insert, table);
            }
            if (table != null && values == OverridingClause.Values.DRAWN) {
                settleDrawn(insert, table);
            }
            if (table != null && table.columns().stream().anyMatch(this::takesNoValue)) {
                checkInsert(insert, table);
            }
            if (table != null) {
                InsertedRows rows = new InsertedRows(catalog, parser, table, insert);
                rows.settleDefaults();
                rows.check();
                rows.settleMixed();
            }
        } else if (statement instanceof SqlUpdate update) {
            Table table = table(update.getTargetTable());
            if (table != null) {
                settle(update, table);
            }
        }
    }

    private @Nullable Table table(SqlNode target) {
        return target instanceof SqlIdentifier name ? table(name, catalog) : null;
    }

    /** The table of the name; null if there is none. */
    static @Nullable Table table(SqlIdentifier name, Catalog catalog) {
        return catalog.tables()
                .get(
                        name.isSimple()
                                ? name.getSimple()
                                : SchemaName.qualified(name.names.getFirst(), name.names.get(1)));
    }

    /** Names the columns of rows that leave out the last columns of the table. */
    private void settleLeftOut(SqlInsert insert, Table table) {
        int count = insert.getTargetColumnList() == null ? new SourceWidth(catalog).of(insert.getSource()) : 0;
        List<Column> columns = table.visibleColumns();
        if (count > 0 && count < columns.size()) {
            SqlParserPos place = insert.getTargetTable().getParserPosition();
            SqlNodeList named = new SqlNodeList(place);
            columns.subList(0, count).forEach(column -> named.add(new SqlIdentifier(column.name(), place)));
            insert.setOperand(COLUMN_LIST, named);
        }
    }

    /** Rows say DEFAULT for the columns that draw numbers, in place. */
    private static void settleDrawn(SqlInsert insert, Table table) {
        SqlNodeList named = insert.getTargetColumnList();
        boolean hasRows = insert.getSource() instanceof SqlBasicCall source && source.getKind() == SqlKind.VALUES;
        int count = named == null ? table.visibleColumns().size() : named.size();
        for (int i = 0; i < count; i++) {
            int place = named == null ? i : table.columnIndex(((SqlIdentifier) named.get(i)).getSimple());
            if (place < 0 || !table.columns().get(place).isIdentity()) {
                continue;
            }
            if (!hasRows) {
                throw SqlErrors.at(
                        ErrorCode.NOT_SUPPORTED,
                        position(insert.getSource()),
                        "OVERRIDING USER VALUE is for rows of VALUES; leave "
                                + table.columns().get(place).name() + " out of the query");
            }
            for (SqlNode row : ((SqlCall) insert.getSource()).getOperandList()) {
                if (row instanceof SqlCall call && i < call.operandCount()) {
                    SqlParserPos at = call.operand(i).getParserPosition();
                    call.setOperand(i, SqlStdOperatorTable.DEFAULT.createCall(at));
                }
            }
        }
    }

    private void checkInsert(SqlInsert insert, Table table) {
        SqlNodeList named = insert.getTargetColumnList();
        int count = named == null ? table.visibleColumns().size() : named.size();
        for (int i = 0; i < count; i++) {
            int place = named == null ? i : table.columnIndex(((SqlIdentifier) named.get(i)).getSimple());
            boolean takesNoValue = place >= 0 && takesNoValue(table.columns().get(place));
            if (takesNoValue && !isDefaultInAll(insert.getSource(), i)) {
                throw refused(table.columns().get(place), named == null ? insert.getTargetTable() : named.get(i));
            }
        }
    }

    /** Nothing overrides that a generated column is computed. */
    private boolean takesNoValue(Column column) {
        return column.isGenerated() || (column.isAlwaysDrawn() && values != OverridingClause.Values.GIVEN);
    }

    /** Whether all rows have the word DEFAULT there. */
    private static boolean isDefaultInAll(SqlNode source, int place) {
        if (!(source instanceof SqlBasicCall values) || values.getKind() != SqlKind.VALUES) {
            return false;
        }
        return values.getOperandList().stream()
                .allMatch(row -> row instanceof SqlCall call
                        && (place >= call.operandCount() || call.operand(place).getKind() == SqlKind.DEFAULT));
    }

    private void settle(SqlUpdate update, Table table) throws SqlParseException {
        SqlNodeList columns = update.getTargetColumnList();
        SqlNodeList values = update.getSourceExpressionList();
        for (int i = 0; i < columns.size(); i++) {
            int place = table.columnIndex(((SqlIdentifier) columns.get(i)).names.getLast());
            Column column = place < 0 ? null : table.columns().get(place);
            boolean isDefault = isDefault(values.get(i));
            if (column != null && takesNoValue(column) && !(column.isGenerated() && isDefault)) {
                throw refused(column, columns.get(i));
            }
            if (column != null && column.isGenerated() && columns.size() > 1) {
                columns.remove(i);
                values.remove(i);
                i--;
            } else if (column != null && isDefault) {
                values.set(i, settled(ColumnDefault.of(column, position(values.get(i)), parser)));
            }
        }
    }

    /** The text of a default is in no form yet. */
    private SqlNode settled(SqlNode value) {
        SqlNodeList alone = new SqlNodeList(List.of(value), value.getParserPosition());
        WrittenForms.settle(alone, catalog);
        return Objects.requireNonNull(alone.get(0));
    }

    /** Whether it is the function that stands for DEFAULT. */
    static boolean isDefault(SqlNode value) {
        return value instanceof SqlCall call && call.getOperator().getName().equals(OverridingClause.DEFAULT);
    }

    private static FulmarException refused(Column column, SqlNode place) {
        if (column.isGenerated()) {
            return SqlErrors.at(
                    ErrorCode.GENERATED_ALWAYS,
                    position(place),
                    "column " + column.name() + " is generated; leave it out, or give it DEFAULT");
        }
        return SqlErrors.at(
                ErrorCode.GENERATED_ALWAYS,
                position(place),
                "column " + column.name()
                        + " is GENERATED ALWAYS; leave it out, or give it DEFAULT, or say OVERRIDING SYSTEM"
                        + " VALUE in an INSERT");
    }

    private static Position position(SqlNode node) {
        return new Position(
                node.getParserPosition().getLineNum(), node.getParserPosition().getColumnNum());
    }
}
