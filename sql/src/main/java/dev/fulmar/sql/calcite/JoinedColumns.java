package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the common columns of joins with USING and of natural joins where a query names them without a table (ISO
 * 9075-2, 7.10). Such a column is the left table's, of a RIGHT JOIN the right one's, of a FULL JOIN whichever is not
 * null. Calcite knows this of items of a SELECT alone. A natural join of tables that the catalog knows becomes one with
 * USING. One whose input has such a column that is not the first table's becomes one with ON, for Calcite compares the
 * first table's.
 */
final class JoinedColumns {
    private final Catalog catalog;

    /** The columns of the queries that the WITHs around the place name. */
    private final Map<String, Set<String>> queries = new HashMap<>();

    /** Joins that were looked at: what they became does not say any more what their common columns are. */
    private final Map<SqlJoin, JoinSource> joins = new IdentityHashMap<>();

    private JoinedColumns(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Does so in place. */
    static void settle(SqlNode statement, Catalog catalog) {
        new JoinedColumns(catalog).visit(statement);
    }

    private static final JoinSource NO_SOURCE = JoinSource.single(null, Set.of());

    private void visit(@Nullable SqlNode node) {
        switch (node) {
            case SqlOrderBy order
            when order.query instanceof SqlSelect select -> {
                Map<String, SqlNode> common = settle(select);
                settleOrder(order.orderList, select, common);
                visitAll(order.getOperandList());
            }
            case SqlSelect select -> {
                settle(select);
                visitAll(select.getOperandList());
            }
            case SqlWith with -> visit(with);
            case SqlCall call -> visitAll(call.getOperandList());
            case SqlNodeList list -> visitAll(list);
            case null, default -> {}
        }
    }

    private void visit(SqlWith with) {
        Map<String, Set<String>> around = new HashMap<>(queries);
        for (SqlNode each : with.withList) {
            SqlWithItem item = (SqlWithItem) each;
            visit(item.query);
            SqlNodeList listed = item.columnList;
            Set<String> names = listed == null ? columns(item.query) : names(listed);
            if (names == null) {
                queries.remove(item.name.getSimple());
            } else {
                queries.put(item.name.getSimple(), names);
            }
        }
        visit(with.body);
        queries.clear();
        queries.putAll(around);
    }

    private void visitAll(List<? extends @Nullable SqlNode> nodes) {
        nodes.forEach(this::visit);
    }

    /** Replaces the common columns of the query's own join, and returns their meaning. */
    @SuppressWarnings("ReferenceEquality") // whether the very node was replaced
    private Map<String, SqlNode> settle(SqlSelect select) {
        if (!(select.getFrom() instanceof SqlJoin join)) {
            return Map.of();
        }
        JoinSource source = join(join);
        SqlNodeList items = select.getSelectList();
        if (source.hidesCommon()) {
            items = spelledOut(items, source);
            select.setSelectList(items);
        }
        Map<String, SqlNode> common = source.common();
        if (common.isEmpty()) {
            return common;
        }
        for (int i = 0; i < items.size(); i++) {
            SqlNode item = items.get(i);
            SqlNode said = replaced(item, common);
            boolean needsName = item instanceof SqlIdentifier && said != item && !(said instanceof SqlIdentifier);
            items.set(i, needsName ? JoinSource.item(((SqlIdentifier) item).getSimple(), said) : said);
        }
        SqlNode where = select.getWhere();
        if (where != null) {
            select.setWhere(replaced(where, common));
        }
        SqlNode having = select.getHaving();
        if (having != null) {
            select.setHaving(replaced(having, common));
        }
        SqlNodeList group = select.getGroup();
        if (group != null) {
            replaceAll(group, common);
        }
        replaceAll(select.getWindowList(), common);
        return common;
    }

    /** The items with the columns that a star stands for. */
    private static SqlNodeList spelledOut(SqlNodeList items, JoinSource source) {
        SqlNodeList all = new SqlNodeList(items.getParserPosition());
        for (SqlNode item : items) {
            if (item instanceof SqlIdentifier star && star.isStar() && star.names.size() == 1) {
                List<SqlNode> columns = source.star(star.getParserPosition());
                if (columns == null) {
                    throw unknownColumns();
                }
                all.addAll(columns);
            } else {
                all.add(item);
            }
        }
        return all;
    }

    private static FulmarException unknownColumns() {
        return SqlErrors.notSupported(
                "the columns of what is joined are not known here; give each query in FROM an alias"
                        + " with a list of its columns, or join with ON");
    }

    /** A name in ORDER BY is first that of an item of the SELECT. */
    private void settleOrder(SqlNodeList order, SqlSelect select, Map<String, SqlNode> common) {
        Map<String, SqlNode> unnamed = new HashMap<>(common);
        for (SqlNode item : select.getSelectList()) {
            if (item.getKind() == SqlKind.AS) {
                unnamed.remove(((SqlIdentifier) ((SqlCall) item).operand(1)).getSimple());
            }
        }
        replaceAll(order, unnamed);
    }

    private JoinSource source(SqlNode node) {
        return switch (node) {
            case SqlJoin join -> join(join);
            case SqlIdentifier table -> JoinSource.single(table.names.getLast(), columns(table));
            case SqlCall call
            when call.getKind() == SqlKind.AS && call.operandCount() > 2 ->
                JoinSource.single(
                        ((SqlIdentifier) call.operand(1)).getSimple(),
                        names(call.getOperandList().subList(2, call.operandCount())));
            case SqlCall call
            when call.getKind() == SqlKind.AS ->
                JoinSource.single(((SqlIdentifier) call.operand(1)).getSimple(), columns(call.operand(0)));
            default -> JoinSource.single(null, null);
        };
    }

    private static Set<String> names(List<? extends SqlNode> columns) {
        Set<String> names = new LinkedHashSet<>();
        columns.forEach(column -> names.add(((SqlIdentifier) column).getSimple()));
        return names;
    }

    /** The names of what a table, a view or a query yields, if that can be told. */
    private @Nullable Set<String> columns(SqlNode from) {
        return switch (from) {
            case SqlIdentifier name -> ofObject(name);
            case SqlSelect select -> ofItems(select);
            case SqlOrderBy order -> columns(order.query);
            case SqlCall call when isPassedOn(call.getKind()) -> columns(call.operand(0));
            default -> null;
        };
    }

    /** Whether the columns are those of the first operand. */
    private static boolean isPassedOn(SqlKind kind) {
        return kind == SqlKind.LATERAL || SqlKind.SET_QUERY.contains(kind);
    }

    private @Nullable Set<String> ofObject(SqlIdentifier name) {
        if (name.isSimple() && queries.containsKey(name.getSimple())) {
            return queries.get(name.getSimple());
        }
        String object =
                name.isSimple() ? name.getSimple() : SchemaName.qualified(name.names.getFirst(), name.names.get(1));
        Table table = catalog.tables().get(object);
        View view = catalog.views().get(object);
        Set<String> names = new LinkedHashSet<>();
        if (table != null) {
            table.visibleColumns().stream().map(Column::name).forEach(names::add);
        } else if (view != null) {
            view.columns().stream().map(ResultColumn::name).forEach(names::add);
        }
        return names.isEmpty() ? null : names;
    }

    /** The names of the items. */
    private @Nullable Set<String> ofItems(SqlSelect select) {
        Set<String> names = new LinkedHashSet<>();
        for (SqlNode item : select.getSelectList()) {
            SqlNode named = item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(1) : item;
            if (named instanceof SqlIdentifier identifier && !identifier.isStar()) {
                add(names, identifier.names.getLast());
            } else if (named instanceof SqlIdentifier star) {
                Set<String> all = select.getFrom() == null ? null : starred(source(select.getFrom()), star);
                if (all == null) {
                    return null;
                }
                all.forEach(name -> add(names, name));
            } else {
                names.add(JoinSource.UNNAMED);
            }
        }
        return names;
    }

    /** Two columns of one name have none by which a statement can say which it means. */
    private static void add(Set<String> names, String name) {
        if (!names.add(name)) {
            names.add(JoinSource.UNNAMED);
        }
    }

    private static @Nullable Set<String> starred(JoinSource from, SqlIdentifier star) {
        JoinSource whose = star.names.size() == 1 ? from : from.called(star.names.get(star.names.size() - 2));
        return whose == null ? null : whose.names();
    }

    private JoinSource join(SqlJoin join) {
        JoinSource known = joins.get(join);
        if (known == null) {
            known = settled(join);
            joins.put(join, known);
        }
        return known;
    }

    private JoinSource settled(SqlJoin join) {
        JoinSource left = source(join.getLeft());
        JoinSource right = source(join.getRight());
        Map<String, SqlNode> seen = common(left, right);
        if (!left.common().isEmpty()) {
            replaceInFrom(join.getRight(), Map.of(), left.common());
        }
        if (join.getConditionType() == JoinConditionType.ON && join.getCondition() != null && !seen.isEmpty()) {
            join.setOperand(5, replaced(join.getCondition(), seen));
        }
        if (join.isNatural()) {
            nameShared(join, left, right);
        }
        Map<String, SqlNode> common = new HashMap<>(seen);
        List<String> using = List.of();
        boolean isCompared = false;
        if (join.getConditionType() == JoinConditionType.USING && join.getCondition() instanceof SqlNodeList list) {
            using = List.copyOf(names(list));
            isCompared = using.stream().anyMatch(name -> left.isOther(name) || right.isOther(name));
            List<SqlNode> equations = noted(join, left, right, using, common);
            if (isCompared) {
                compare(join, equations);
            }
        }
        Set<String> names = null;
        if (left.names() != null && right.names() != null) {
            names = new LinkedHashSet<>(left.names());
            names.addAll(right.names());
        }
        return new JoinSource(null, names, common, List.of(left, right), using, isCompared);
    }

    /** Makes a natural join one with USING. */
    private static void nameShared(SqlJoin join, JoinSource left, JoinSource right) {
        Set<String> ofLeft = left.names();
        Set<String> ofRight = right.names();
        if (ofLeft == null || ofRight == null) {
            if (left.hasOther() || right.hasOther()) {
                throw unknownColumns();
            }
            return;
        }
        SqlParserPos position = join.getParserPosition();
        List<SqlNode> shared = new ArrayList<>();
        for (String name : ofLeft) {
            if (ofRight.contains(name) && !name.equals(JoinSource.UNNAMED)) {
                shared.add(new SqlIdentifier(name, position));
            }
        }
        if (!shared.isEmpty()) {
            join.setOperand(1, SqlLiteral.createBoolean(false, position));
            join.setOperand(4, JoinConditionType.USING.symbol(position));
            join.setOperand(5, new SqlNodeList(shared, position));
        }
    }

    /** Notes what the columns of USING mean, and returns what they must fulfil. */
    private static List<SqlNode> noted(
            SqlJoin join, JoinSource left, JoinSource right, List<String> using, Map<String, SqlNode> common) {
        SqlParserPos position = join.getParserPosition();
        List<SqlNode> equations = new ArrayList<>();
        for (String name : using) {
            SqlNode ofLeft = left.column(name, position);
            SqlNode ofRight = right.column(name, position);
            if (ofLeft != null && ofRight != null) {
                common.put(name, meaning(join.getJoinType(), ofLeft, ofRight));
                equations.add(SqlStdOperatorTable.EQUALS.createCall(
                        position, JoinSource.placed(ofLeft, position), JoinSource.placed(ofRight, position)));
            } else if (left.hasOther(name) || right.hasOther(name)) {
                throw unknownColumns();
            }
        }
        return equations;
    }

    private static void compare(SqlJoin join, List<SqlNode> equations) {
        SqlParserPos position = join.getParserPosition();
        SqlNode all = equations.stream()
                .reduce((first, second) -> SqlStdOperatorTable.AND.createCall(position, first, second))
                .orElseThrow();
        join.setOperand(4, JoinConditionType.ON.symbol(position));
        join.setOperand(5, all);
    }

    /** The common columns of either side whose names the other has not. */
    private static Map<String, SqlNode> common(JoinSource left, JoinSource right) {
        Map<String, SqlNode> common = new HashMap<>(left.common());
        if (right.names() != null) {
            common.keySet().removeAll(right.names());
        }
        Map<String, SqlNode> ofRight = new HashMap<>(right.common());
        if (left.names() != null) {
            ofRight.keySet().removeAll(left.names());
        }
        common.putAll(ofRight);
        return common;
    }

    private static SqlNode meaning(JoinType type, SqlNode left, SqlNode right) {
        return switch (type) {
            case RIGHT -> right;
            case FULL -> SqlStdOperatorTable.COALESCE.createCall(left.getParserPosition(), left, right);
            default -> left;
        };
    }

    private void replaceAll(SqlNodeList list, Map<String, SqlNode> common) {
        for (int i = 0; i < list.size(); i++) {
            SqlNode item = list.get(i);
            if (item != null) {
                list.set(i, replaced(item, common));
            }
        }
    }

    /** The expression with the meanings in place of the names. */
    @SuppressWarnings("ReferenceEquality") // whether the very node was replaced
    private SqlNode replaced(SqlNode node, Map<String, SqlNode> common) {
        if (node instanceof SqlIdentifier name && name.isSimple() && !name.isStar()) {
            SqlNode meaning = common.get(name.getSimple());
            return meaning == null ? node : JoinSource.placed(meaning, name.getParserPosition());
        }
        if (node instanceof SqlNodeList list) {
            replaceAll(list, common);
        } else if (node instanceof SqlSelect select) {
            replaceWithin(select, common);
        } else if (node instanceof SqlOrderBy order) {
            replaced(order.query, common);
        } else if (node instanceof SqlCall call && !(call instanceof SqlWith)) {
            List<SqlNode> operands = call.getOperandList();
            for (int i = 0; i < operands.size(); i++) {
                SqlNode operand = operands.get(i);
                boolean isName = i > 0 && (call.getKind() == SqlKind.AS || call.getKind() == SqlKind.OVER);
                if (operand != null && !(isName && operand instanceof SqlIdentifier)) {
                    SqlNode said = replaced(operand, common);
                    if (said != operand) {
                        call.setOperand(i, said);
                    }
                }
            }
        }
        return node;
    }

    /**
     * Replaces the common columns in a query within the expression. A name is that query's own, if its tables have such
     * a column; where that cannot be told, names stay.
     */
    private void replaceWithin(SqlSelect select, Map<String, SqlNode> common) {
        JoinSource own = select.getFrom() == null ? NO_SOURCE : source(select.getFrom());
        Set<String> names = own.names();
        if (names == null) {
            return;
        }
        Map<String, SqlNode> visible = new HashMap<>(common);
        visible.keySet().removeAll(names);
        visible.values().removeIf(meaning -> isHidden(meaning, own));
        if (select.getFrom() != null) {
            replaceInFrom(select.getFrom(), common, visible);
        }
        if (visible.isEmpty()) {
            return;
        }
        replaceAll(select.getSelectList(), visible);
        if (select.getWhere() != null) {
            select.setWhere(replaced(select.getWhere(), visible));
        }
        if (select.getGroup() != null) {
            replaceAll(select.getGroup(), visible);
        }
        if (select.getHaving() != null) {
            select.setHaving(replaced(select.getHaving(), visible));
        }
    }

    /**
     * Relations in FROM: queries see the columns of the query around it, LATERAL ones and conditions those beside them
     * too.
     */
    private void replaceInFrom(SqlNode from, Map<String, SqlNode> ofQueries, Map<String, SqlNode> ofLaterals) {
        switch (from) {
            case SqlJoin join -> {
                replaceInFrom(join.getLeft(), ofQueries, ofLaterals);
                replaceInFrom(join.getRight(), ofQueries, ofLaterals);
                if (join.getConditionType() == JoinConditionType.ON && join.getCondition() != null) {
                    join.setOperand(5, replaced(join.getCondition(), ofLaterals));
                }
            }
            case SqlCall call
            when call.getKind() == SqlKind.AS -> replaceInFrom(call.operand(0), ofQueries, ofLaterals);
            case SqlCall call when call.getKind() == SqlKind.LATERAL -> replaced(call.operand(0), ofLaterals);
            case SqlCall call
            when call.getKind().belongsTo(SqlKind.QUERY) && !ofQueries.isEmpty() -> replaced(call, ofQueries);
            default -> {}
        }
    }

    /** Whether the query's own tables have the name of one by which the meaning is said. */
    private static boolean isHidden(SqlNode meaning, JoinSource own) {
        return switch (meaning) {
            case SqlIdentifier name -> own.hasAlias(name.names.getFirst());
            case SqlCall call -> call.getOperandList().stream().anyMatch(operand -> isHidden(operand, own));
            default -> false;
        };
    }
}
