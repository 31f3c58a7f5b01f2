package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * GROUP BY the primary key of a table determines all columns of the table (ISO 9075-2, 4.26, feature T301). Those that
 * the query shows become keys too: the groups are the same.
 */
final class GroupedKeys {
    /** Names of aggregates, by which calls are known before they are validated. */
    static final Set<String> AGGREGATES = Set.of(
            "COUNT",
            "SUM",
            "MIN",
            "MAX",
            "AVG",
            "ANY_VALUE",
            "EVERY",
            "SOME",
            "BOOL_AND",
            "BOOL_OR",
            "APPROX_COUNT_DISTINCT");

    private final Catalog catalog;

    private GroupedKeys(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Changes the statement in place. */
    static void settle(SqlNode statement, Catalog catalog) {
        new GroupedKeys(catalog).visit(statement, Set.of());
    }

    /** @param queries names that WITH gives queries */
    private void visit(@Nullable SqlNode node, Set<String> queries) {
        switch (node) {
            case SqlOrderBy order -> visitQuery(order.query, order.orderList, queries);
            case SqlWith with -> visitQuery(with, SqlNodeList.EMPTY, queries);
            case SqlSelect select -> visitQuery(select, SqlNodeList.EMPTY, queries);
            case SqlCall call -> visitAll(call.getOperandList(), queries);
            case SqlNodeList list -> visitAll(list, queries);
            case null, default -> {}
        }
    }

    private void visitQuery(SqlNode query, SqlNodeList order, Set<String> queries) {
        switch (query) {
            case SqlWith with -> {
                Set<String> known = new TreeSet<>(queries);
                with.withList.forEach(item -> known.add(((SqlWithItem) item).name.getSimple()));
                visitAll(with.withList, known);
                visitQuery(with.body, order, known);
            }
            case SqlSelect select -> {
                determine(select, order, queries);
                visitAll(select.getOperandList(), queries);
            }
            default -> visit(query, queries);
        }
    }

    private void visitAll(List<? extends @Nullable SqlNode> nodes, Set<String> queries) {
        nodes.forEach(node -> visit(node, queries));
    }

    private void determine(SqlSelect select, SqlNodeList order, Set<String> queries) {
        SqlNodeList group = select.getGroup();
        SqlNode from = select.getFrom();
        if (group == null || from == null || group.stream().anyMatch(GroupedKeys::isSeveral)) {
            return;
        }
        checkWindows(group, select.getSelectList());
        Map<String, Table> tables = new TreeMap<>();
        boolean areAllKnown = collect(from, tables, queries);
        Map<String, Set<String>> grouped = new TreeMap<>();
        for (SqlNode item : group) {
            SqlIdentifier column = column(item, select.getSelectList());
            String alias = column == null ? null : alias(column, tables, areAllKnown);
            if (column != null && alias != null) {
                grouped.computeIfAbsent(alias, each -> new LinkedHashSet<>()).add(column.names.getLast());
            }
        }
        List<SqlNode> added = new ArrayList<>();
        grouped.forEach((alias, columns) -> {
            Table table = tables.get(alias);
            if (table != null && isDetermined(table, columns)) {
                Mentions mentions = new Mentions(alias, table, areAllKnown && tables.size() == 1);
                mentions.collect(select.getSelectList());
                mentions.collect(select.getHaving());
                mentions.collect(select.getQualify());
                mentions.collect(order);
                mentions.columns.removeAll(columns);
                mentions.columns.forEach(
                        column -> added.add(new SqlIdentifier(List.of(alias, column), group.getParserPosition())));
            }
        });
        group.addAll(added);
    }

    /** Whether an item of GROUP BY makes more than one grouping, or none. */
    private static boolean isSeveral(SqlNode item) {
        return switch (item.getKind()) {
            case ROLLUP, CUBE, GROUPING_SETS -> true;
            default -> item instanceof SqlNodeList;
        };
    }

    /** The tables by their aliases; false if FROM has other items too. */
    private boolean collect(SqlNode from, Map<String, Table> tables, Set<String> queries) {
        return switch (from) {
            case SqlJoin join -> {
                boolean isLeftKnown = collect(join.getLeft(), tables, queries);
                yield collect(join.getRight(), tables, queries) && isLeftKnown;
            }
            case SqlIdentifier name -> add(name, name.names.getLast(), tables, queries);
            case SqlCall call
            when call.getKind() == SqlKind.AS
                    && call.operandCount() == 2
                    && call.operand(0) instanceof SqlIdentifier name ->
                add(name, ((SqlIdentifier) call.operand(1)).getSimple(), tables, queries);
            default -> false;
        };
    }

    private boolean add(SqlIdentifier name, String alias, Map<String, Table> tables, Set<String> queries) {
        if (name.names.size() > 2 || (name.isSimple() && queries.contains(name.getSimple()))) {
            return false;
        }
        Table table = catalog.tables()
                .get(name.isSimple() ? name.getSimple() : SchemaName.qualified(name.names.get(0), name.names.get(1)));
        if (table != null) {
            tables.put(alias, table);
        }
        return table != null;
    }

    /** The column that an item of GROUP BY is; a number is the place of an item of the SELECT. */
    private static @Nullable SqlIdentifier column(SqlNode item, SqlNodeList items) {
        SqlNode meant = meant(item, items);
        return meant instanceof SqlIdentifier column && !column.isStar() ? column : null;
    }

    /** The item of the query that a number stands for; anything else stands for itself. */
    private static SqlNode meant(SqlNode item, SqlNodeList items) {
        SqlNode meant = item;
        if (item instanceof SqlNumericLiteral number && number.isInteger()) {
            int place = number.intValue(true);
            meant = place >= 1 && place <= items.size() ? items.get(place - 1) : item;
            meant = meant.getKind() == SqlKind.AS ? ((SqlCall) meant).operand(0) : meant;
        }
        return meant;
    }

    /** Refuses groups by what is computed of groups; Calcite groups by something else then. */
    private static void checkWindows(SqlNodeList group, SqlNodeList items) {
        for (SqlNode item : group) {
            SqlNode meant = meant(item, items);
            if (meant.getKind() == SqlKind.OVER) {
                SqlParserPos place = item.getParserPosition();
                throw SqlErrors.at(
                        ErrorCode.MISPLACED_WINDOW,
                        new Position(place.getLineNum(), place.getColumnNum()),
                        "a query is not grouped by a window function; group a query in FROM that computes it");
            }
        }
    }

    /** The alias of the column's table, or null if it is another one's, or cannot be told. */
    private static @Nullable String alias(SqlIdentifier column, Map<String, Table> tables, boolean areAllKnown) {
        if (!column.isSimple()) {
            return column.names.size() == 2 ? column.names.getFirst() : null;
        }
        List<String> owners = tables.entrySet().stream()
                .filter(entry -> names(entry.getValue()).contains(column.getSimple()))
                .map(Map.Entry::getKey)
                .toList();
        return areAllKnown && owners.size() == 1 ? owners.getFirst() : null;
    }

    private static Set<String> names(Table table) {
        Set<String> names = new LinkedHashSet<>();
        table.visibleColumns().stream().map(Column::name).forEach(names::add);
        return names;
    }

    private static boolean isDetermined(Table table, Set<String> columns) {
        return table.indexes().stream()
                .filter(Index::primary)
                .anyMatch(index -> index.columns().stream()
                        .allMatch(each -> each.column() >= 0
                                && columns.contains(
                                        table.columns().get(each.column()).name())));
    }

    /** The columns of one table that expressions name outside of aggregates. */
    private static final class Mentions {
        private final String alias;
        private final Set<String> ofTable;
        private final boolean isOnlyTable;
        private final Set<String> columns = new LinkedHashSet<>();

        Mentions(String alias, Table table, boolean isOnlyTable) {
            this.alias = alias;
            this.ofTable = names(table);
            this.isOnlyTable = isOnlyTable;
        }

        /** A column too many in a group changes nothing, so names in queries within count too. */
        void collect(@Nullable SqlNode node) {
            switch (node) {
                case SqlIdentifier name -> name(name);
                case SqlCall call when AggregateForms.isAggregate(call) -> {}
                case SqlCall call -> call.getOperandList().forEach(this::collect);
                case SqlNodeList list -> list.forEach(this::collect);
                case null, default -> {}
            }
        }

        private void name(SqlIdentifier name) {
            boolean isOfTable = name.names.size() == 2
                    ? name.names.getFirst().equals(alias)
                    : name.isSimple() || name.names.size() == 1;
            if (!isOfTable) {
                return;
            }
            boolean isRow = name.isSimple() && name.getSimple().equals(alias);
            if (isRow) {
                columns.addAll(ofTable); // which WholeRows reads
            } else if (name.isStar()) {
                columns.addAll(name.names.size() == 2 || isOnlyTable ? ofTable : Set.of());
            } else if (ofTable.contains(name.names.getLast())) {
                columns.add(name.names.getLast());
            }
        }
    }
}
