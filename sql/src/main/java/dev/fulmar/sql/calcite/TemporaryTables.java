package dev.fulmar.sql.calcite;

import dev.fulmar.sql.text.TemporaryNames;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.jspecify.annotations.Nullable;

/** Puts the schema before the names of temporary tables that a client's statement has. A query of WITH comes first. */
final class TemporaryTables {
    private static final int FROM = 2;

    /** Names that WITH gives queries. */
    private final Set<String> queries;

    private TemporaryTables(Set<String> queries) {
        this.queries = queries;
    }

    /** Changes the statement in place. */
    static void settle(SqlNode statement) {
        if (!TemporaryNames.schema().isEmpty()) {
            new TemporaryTables(Set.of()).visit(statement);
        }
    }

    private void visit(@Nullable SqlNode node) {
        switch (node) {
            case SqlWith with -> common(with);
            case SqlSelect select -> {
                for (int i = 0; i < select.operandCount(); i++) {
                    if (i != FROM) {
                        visit(select.getOperandList().get(i));
                    }
                }
                SqlNode from = select.getFrom();
                if (from != null) {
                    select.setFrom(from(from));
                }
            }
            case SqlInsert insert -> {
                insert.setOperand(1, named(insert.getTargetTable()));
                visitAll(insert.getOperandList());
            }
            case SqlUpdate update -> {
                update.setOperand(0, named(update.getTargetTable()));
                visitAll(update.getOperandList());
            }
            case SqlDelete delete -> {
                delete.setOperand(0, named(delete.getTargetTable()));
                visitAll(delete.getOperandList());
            }
            case SqlCall call
            when call.getKind() == SqlKind.EXPLICIT_TABLE -> call.setOperand(0, named(call.operand(0)));
            case SqlCall call -> visitAll(call.getOperandList());
            case SqlNodeList list -> visitAll(list);
            case null, default -> {
                // Names no table.
            }
        }
    }

    private void visitAll(List<? extends @Nullable SqlNode> nodes) {
        nodes.forEach(this::visit);
    }

    private void common(SqlWith with) {
        Set<String> known = new TreeSet<>(queries);
        for (SqlNode each : with.withList) {
            SqlWithItem item = (SqlWithItem) each;
            Set<String> inside = new TreeSet<>(known);
            if (item.recursive.booleanValue()) {
                inside.add(item.name.getSimple());
            }
            new TemporaryTables(inside).visit(item.query);
            known.add(item.name.getSimple());
        }
        new TemporaryTables(known).visit(with.body);
    }

    private SqlNode from(SqlNode node) {
        switch (node) {
            case SqlIdentifier name -> {
                return named(name);
            }
            case SqlJoin join -> {
                join.setLeft(from(join.getLeft()));
                join.setRight(from(join.getRight()));
                visit(join.getCondition());
            }
            case SqlCall call
            when call.getKind() == SqlKind.AS || call.getKind() == SqlKind.LATERAL ->
                call.setOperand(0, from(call.operand(0)));
            default -> visit(node);
        }
        return node;
    }

    private SqlNode named(SqlNode table) {
        if (!(table instanceof SqlIdentifier name)) {
            return table;
        }
        String first = name.names.getFirst();
        boolean isPlain = name.isSimple() && TemporaryNames.has(first) && !queries.contains(first);
        String schema = isPlain ? TemporaryNames.schema() : TemporaryNames.schemaOf(first);
        boolean isQualified = name.names.size() == 2 && !schema.equals(first);
        return isPlain || isQualified
                ? new SqlIdentifier(List.of(schema, name.names.getLast()), name.getParserPosition())
                : name;
    }
}
