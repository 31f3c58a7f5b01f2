package dev.fulmar.sql.calcite;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * {@code INSERT INTO t (a) SELECT x FROM (VALUES (CAST(? AS INTEGER), 0), (CAST(? AS INTEGER), 1)) AS v (x, n) ORDER
 * BY n} becomes {@code INSERT INTO t (a) VALUES (CAST(? AS INTEGER)), (CAST(? AS INTEGER))}. So SQLAlchemy writes many
 * rows. Their number is known then, so numbers of an identity column are drawn before it runs. Where the columns of the
 * list would give values another type, the query stays.
 */
final class ListedRows {
    private static final String TEXT = "#TEXT";

    private static final int SOURCE = 2; // as SqlInsert counts its operands

    /** The type of NULL. */
    private static final String NOTHING = "";

    /** A type that the text does not say. */
    private static final String OTHER = "?";

    private final SqlSelect select;
    private final List<SqlCall> rows;

    /** The places of the columns in a row. */
    private final Map<String, Integer> columns;

    private final String alias;

    private ListedRows(SqlSelect select, List<SqlCall> rows, Map<String, Integer> columns, String alias) {
        this.select = select;
        this.rows = rows;
        this.columns = columns;
        this.alias = alias;
    }

    /** Changes an INSERT in place. */
    static void settle(SqlNode statement) {
        if (!(statement instanceof SqlInsert insert)) {
            return;
        }
        SqlNode source = insert.getSource();
        SqlOrderBy order = source instanceof SqlOrderBy sorted ? sorted : null;
        if ((order == null ? source : order.query) instanceof SqlSelect select && isPlain(select, order)) {
            of(select)
                    .flatMap(listed -> listed.values(order == null ? SqlNodeList.EMPTY : order.orderList))
                    .ifPresent(values -> insert.setOperand(SOURCE, values));
        }
    }

    private static boolean isPlain(SqlSelect select, @Nullable SqlOrderBy order) {
        return !select.isDistinct()
                && select.getWhere() == null
                && select.getGroup() == null
                && select.getHaving() == null
                && select.getQualify() == null
                && select.getFetch() == null
                && select.getOffset() == null
                && (order == null || (order.fetch == null && order.offset == null));
    }

    private static Optional<ListedRows> of(SqlSelect select) {
        if (!(select.getFrom() instanceof SqlCall from)
                || from.getKind() != SqlKind.AS
                || from.operandCount() <= 2
                || from.operand(0).getKind() != SqlKind.VALUES) {
            return Optional.empty();
        }
        Map<String, Integer> columns = new HashMap<>();
        for (int i = 2; i < from.operandCount(); i++) {
            columns.put(((SqlIdentifier) from.operand(i)).getSimple(), i - 2);
        }
        List<SqlCall> rows = new ArrayList<>();
        for (SqlNode row : ((SqlCall) from.operand(0)).getOperandList()) {
            if (row.getKind() != SqlKind.ROW || ((SqlCall) row).operandCount() != columns.size()) {
                return Optional.empty();
            }
            rows.add((SqlCall) row);
        }
        return Optional.of(new ListedRows(select, rows, columns, ((SqlIdentifier) from.operand(1)).getSimple()));
    }

    /** The rows as VALUES, in their order; none if something is not plain enough. */
    private Optional<SqlNode> values(SqlNodeList order) {
        Set<Integer> used = new TreeSet<>();
        for (SqlNode item : select.getSelectList()) {
            SqlNode bare = bare(item);
            if (bare instanceof SqlIdentifier name && !used.add(place(name))) {
                return Optional.empty();
            }
            if (!(bare instanceof SqlIdentifier) && !isConstant(bare)) {
                return Optional.empty();
            }
        }
        for (int place = 0; place < columns.size(); place++) {
            if (used.contains(place) ? !isOfOneType(place) : !hasLiterals(place)) {
                return Optional.empty();
            }
        }
        if (used.contains(-1) || !sort(order)) {
            return Optional.empty();
        }
        SqlParserPos position = select.getParserPosition();
        List<SqlNode> made = new ArrayList<>();
        for (SqlCall row : rows) {
            List<SqlNode> items = new ArrayList<>();
            select.getSelectList().forEach(item -> items.add(inPlace(unnamed(item), row)));
            made.add(SqlStdOperatorTable.ROW.createCall(row.getParserPosition(), items));
        }
        return Optional.of(SqlStdOperatorTable.VALUES.createCall(position, made));
    }

    /** Whether the rows are in that order now; the key is a column with different numbers. */
    private boolean sort(SqlNodeList order) {
        if (order.isEmpty()) {
            return true;
        }
        int place =
                order.size() == 1 && order.get(0) instanceof SqlIdentifier name && !isOfItem(name) ? place(name) : -1;
        boolean isKey = place >= 0
                && rows.stream().allMatch(row -> row.operand(place) instanceof SqlNumericLiteral)
                && rows.stream().map(row -> number(row, place)).distinct().count() == rows.size();
        if (isKey) {
            rows.sort(Comparator.comparing(row -> number(row, place)));
        }
        return isKey;
    }

    /** Whether the name is first that of an item of the SELECT. */
    private boolean isOfItem(SqlIdentifier name) {
        return name.isSimple()
                && select.getSelectList().stream()
                        .anyMatch(item -> item.getKind() == SqlKind.AS
                                && ((SqlIdentifier) ((SqlCall) item).operand(1))
                                        .getSimple()
                                        .equals(name.getSimple()));
    }

    private static BigDecimal number(SqlCall row, int place) {
        SqlNumericLiteral literal = row.operand(place);
        return Objects.requireNonNull(literal.bigDecimalValue(), "a number has a value");
    }

    /** The column that an item of the SELECT is or casts; else the item. */
    private static SqlNode bare(SqlNode item) {
        SqlNode value = unnamed(item);
        return value instanceof SqlCall call && isCast(call) ? bare(call.operand(0)) : value;
    }

    private static SqlNode unnamed(SqlNode item) {
        return item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
    }

    private static boolean isCast(SqlCall call) {
        return call.getKind() == SqlKind.CAST
                || (call.operandCount() == 1 && call.getOperator().getName().equals(TEXT));
    }

    private static boolean isConstant(SqlNode value) {
        return value instanceof SqlLiteral;
    }

    /** The place of the column in a row; negative for another one. */
    private int place(SqlIdentifier name) {
        boolean isOfList = name.isSimple()
                || (name.names.size() == 2 && name.names.getFirst().equals(alias));
        return isOfList ? columns.getOrDefault(name.names.getLast(), -1) : -1;
    }

    /** Whether the values by themselves have the type that the column has. */
    private boolean isOfOneType(int place) {
        Set<String> types = new TreeSet<>();
        rows.forEach(row -> types.add(type(row.operand(place))));
        types.remove(NOTHING);
        return types.size() <= 1 && !types.contains(OTHER);
    }

    /** Says the type of a value. */
    private static String type(SqlNode value) {
        return switch (value) {
            case SqlBasicCall call
            when call.getKind() == SqlKind.CAST && isValue(call.operand(0)) -> "CAST " + call.operand(1);
            case SqlBasicCall call when isCast(call) && isValue(call.operand(0)) -> TEXT;
            case SqlNumericLiteral number -> number.isInteger() ? "WHOLE" : OTHER;
            case SqlUnknownLiteral literal -> literal.tag;
            case SqlLiteral literal
            when literal.getKind() == SqlKind.LITERAL ->
                literal.getValue() == null ? NOTHING : literal.getTypeName().name();
            default -> OTHER;
        };
    }

    private static boolean isValue(SqlNode value) {
        return value instanceof SqlDynamicParam
                || value instanceof SqlLiteral
                || (value instanceof SqlCall call && isCast(call) && isValue(call.operand(0)));
    }

    private boolean hasLiterals(int place) {
        return rows.stream().allMatch(row -> row.operand(place) instanceof SqlLiteral);
    }

    private SqlNode inPlace(SqlNode item, SqlCall row) {
        return switch (item) {
            case SqlIdentifier name -> row.operand(place(name));
            case SqlCall call -> {
                List<SqlNode> operands = new ArrayList<>(call.getOperandList());
                operands.set(0, inPlace(operands.getFirst(), row));
                yield call.getOperator().createCall(call.getParserPosition(), operands);
            }
            default -> item;
        };
    }
}
