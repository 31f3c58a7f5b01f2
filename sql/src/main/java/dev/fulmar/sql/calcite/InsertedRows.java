package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Checks the VALUES rows of an INSERT against the table's columns, and rewrites DEFAULT and mixed types of values for
 * Calcite. DEFAULT of a column without one is NULL, which Calcite does not know of. The values of several rows are
 * converted to the types of their columns, each by itself: {@code VALUES} alone would look for one type of all the
 * rows' values first, and there is none of a text and a date.
 */
final class InsertedRows {
    private final Catalog catalog;
    private final SqlParser.Config parser;
    private final Table table;
    private final List<SqlNode> named;
    private final List<SqlNode> rows;

    InsertedRows(Catalog catalog, SqlParser.Config parser, Table table, SqlInsert insert) {
        this.catalog = catalog;
        this.parser = parser;
        this.table = table;
        this.named = insert.getTargetColumnList() == null ? List.of() : insert.getTargetColumnList();
        this.rows = insert.getSource() instanceof SqlBasicCall values && values.getKind() == SqlKind.VALUES
                ? values.getOperandList()
                : List.of();
    }

    /** Gives DEFAULT VALUES, which stand in the tree as a row of one default, the columns of the table, in place. */
    static void settleRowOfDefaults(SqlInsert insert, Table table) {
        boolean isRowOfDefaults = insert.getSource() instanceof SqlBasicCall values
                && values.getKind() == SqlKind.VALUES
                && values.operandCount() == 1
                && values.operand(0) instanceof SqlCall only
                && only.operandCount() == 1
                && GivenValues.isDefault(only.operand(0));
        if (!isRowOfDefaults) {
            return;
        }
        SqlParserPos place = insert.getSource().getParserPosition();
        if (insert.getTargetColumnList() != null) {
            throw SqlErrors.syntax(
                    new Position(place.getLineNum(), place.getColumnNum()),
                    "DEFAULT VALUES are those of all columns; leave out the names of columns");
        }
        List<SqlNode> defaults = new ArrayList<>();
        table.visibleColumns().forEach(column -> defaults.add(SqlStdOperatorTable.DEFAULT.createCall(place)));
        SqlCall row = SqlStdOperatorTable.ROW.createCall(place, defaults);
        insert.setOperand(
                insert.getOperandList().indexOf(insert.getSource()), SqlStdOperatorTable.VALUES.createCall(place, row));
    }

    /** Holds each row against the columns, and says which value is too many, or NULL where that is not allowed. */
    void check() {
        for (int number = 0; number < rows.size(); number++) {
            if (rows.get(number) instanceof SqlCall row && row.getKind() == SqlKind.ROW) {
                check(row, rows.size() == 1 ? "" : "row " + (number + 1) + ": ");
            }
        }
    }

    private void check(SqlCall row, String which) {
        int given = row.operandCount();
        if (given != columnCount()) {
            throw SqlErrors.syntax(
                    place(given > columnCount() ? row.operand(columnCount()) : row),
                    which + CalciteErrors.number(given, "value") + " for "
                            + CalciteErrors.number(columnCount(), "column") + " of " + table.name());
        }
        for (int i = 0; i < given; i++) {
            Column column = column(i);
            if (column != null
                    && !column.nullable()
                    && !column.isGenerated()
                    && column.drawsFrom().isEmpty()
                    && SqlUtil.isNullLiteral(row.operand(i), false)) {
                throw SqlErrors.at(
                        ErrorCode.NOT_NULL_VIOLATION,
                        place(row.operand(i)),
                        which + "column " + column.name() + " of " + table.name()
                                + " is NOT NULL and takes no NULL; give it a value");
            }
        }
    }

    private static Position place(SqlNode node) {
        return new Position(
                node.getParserPosition().getLineNum(), node.getParserPosition().getColumnNum());
    }

    private int columnCount() {
        return named.isEmpty() ? table.visibleColumns().size() : named.size();
    }

    /** The column of the values at the place; null if the table has no such column. */
    private @Nullable Column column(int place) {
        int index = named.isEmpty() ? place : table.columnIndex(((SqlIdentifier) named.get(place)).getSimple());
        return index < 0 ? null : table.columns().get(index);
    }

    /** Writes NULL for DEFAULT of the columns that have no default, in place. */
    void settleDefaults() {
        for (int i = 0; i < columnCount(); i++) {
            Column column = column(i);
            if (column != null
                    && column.defaultValue() == null
                    && !column.isGenerated()
                    && column.drawsFrom().isEmpty()) {
                settleDefaults(i);
            }
        }
    }

    private void settleDefaults(int place) {
        for (SqlNode row : rows) {
            if (row instanceof SqlCall call
                    && place < call.operandCount()
                    && call.operand(place).getKind() == SqlKind.DEFAULT) {
                call.setOperand(place, SqlLiteral.createNull(call.operand(place).getParserPosition()));
            }
        }
    }

    /** Converts values that are written in several ways, in place. */
    void settleMixed() throws SqlParseException {
        if (rows.size() < 2) {
            return;
        }
        for (int i = 0; i < columnCount(); i++) {
            Column column = column(i);
            if (column != null) {
                settleMixed(i, column.type());
            }
        }
    }

    private void settleMixed(int place, ColumnType type) throws SqlParseException {
        if (type.kind() == TypeKind.ENUM) {
            settleLabels(place, type);
            return;
        }
        boolean isMixed = type.kind() == TypeKind.NUMERIC // whose values keep their own digits
                || (!type.kind().isCharacter()
                        && rows.stream().anyMatch(row -> isText(row, place))
                        && rows.stream().anyMatch(row -> !isText(row, place)));
        if (!isMixed && type.kind() != TypeKind.TIMESTAMP_TZ) {
            return;
        }
        for (SqlNode row : rows) {
            if (row instanceof SqlCall call && place < call.operandCount() && isConverted(call.operand(place))) {
                SqlCall cast = (SqlCall)
                        SqlParser.create("CAST(NULL AS " + type + ")", parser).parseExpression();
                WrittenForms.settle(cast, catalog);
                SqlNode value = call.operand(place);
                SqlNode converted = cast.getOperator().createCall(value.getParserPosition(), value, cast.operand(1));
                call.setOperand(place, WrittenForms.settledExpression(converted, catalog));
            }
        }
    }

    /** Texts become labels each by itself, for the type of all rows' values would be text. */
    private void settleLabels(int place, ColumnType type) {
        EnumCast cast = new EnumCast(type.labels());
        for (SqlNode row : rows) {
            if (isText(row, place) && row instanceof SqlCall call) {
                SqlNode value = call.operand(place);
                call.setOperand(place, cast.createCall(value.getParserPosition(), value));
            }
        }
    }

    private static boolean isText(SqlNode row, int place) {
        return row instanceof SqlCall call
                && place < call.operandCount()
                && call.operand(place) instanceof SqlLiteral literal
                && SqlTypeName.CHAR_TYPES.contains(literal.getTypeName());
    }

    /**
     * Whether the value is converted. DEFAULT, NULL and parameters stay: they have no value of their own, or take their
     * type from the column.
     */
    private static boolean isConverted(SqlNode value) {
        return switch (value.getKind()) {
            case DEFAULT, DYNAMIC_PARAM -> false;
            default -> !SqlUtil.isNullLiteral(value, false);
        };
    }
}
