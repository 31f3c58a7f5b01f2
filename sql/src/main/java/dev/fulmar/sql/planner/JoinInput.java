package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.sql.calcite.CatalogTable;
import dev.fulmar.sql.expression.ExpressionConverter;
import dev.fulmar.sql.expression.Expressions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexInputRef;
import org.jspecify.annotations.Nullable;

/**
 * One of the inputs of a join: a table with conditions and a choice of its columns, or any other relation.
 *
 * @param table null for any other relation
 * @param columns for each output column, its position in the row that is produced: of the table, or of the relation
 *     itself
 * @param conditions over the row that is produced
 */
record JoinInput(RelNode rel, @Nullable Table table, List<Integer> columns, List<Expression> conditions) {
    JoinInput {
        columns = List.copyOf(columns);
        conditions = List.copyOf(conditions);
    }

    /** Looks through projections that only choose columns, and filters, for a table. */
    static JoinInput of(RelNode rel, ExpressionConverter converter) {
        if (rel instanceof TableScan scan) {
            CatalogTable table = scan.getTable().unwrap(CatalogTable.class);
            if (table != null) {
                return new JoinInput(rel, table.table(), identity(rel), List.of());
            }
        }
        if (rel instanceof Filter filter) {
            JoinInput below = of(filter.getInput(), converter);
            if (below.table() != null) {
                return below.with(Expressions.conjuncts(converter.convert(filter.getCondition())))
                        .as(rel);
            }
        }
        if (rel instanceof Project project && project.getProjects().stream().allMatch(RexInputRef.class::isInstance)) {
            JoinInput below = of(project.getInput(), converter);
            if (below.table() != null) {
                List<Integer> columns = project.getProjects().stream()
                        .map(node -> below.columns().get(((RexInputRef) node).getIndex()))
                        .toList();
                return new JoinInput(rel, below.table(), columns, below.conditions());
            }
        }
        return new JoinInput(rel, null, identity(rel), List.of());
    }

    private static List<Integer> identity(RelNode rel) {
        return IntStream.range(0, rel.getRowType().getFieldCount()).boxed().toList();
    }

    private JoinInput as(RelNode other) {
        return new JoinInput(other, table, columns, conditions);
    }

    /** With more conditions, over the output columns. */
    JoinInput with(List<Expression> more) {
        List<Expression> all = new ArrayList<>(conditions);
        for (Expression condition : more) {
            Expression produced = Expressions.renumber(condition, columns::get);
            if (!all.contains(produced)) {
                all.add(produced);
            }
        }
        return new JoinInput(rel, table, columns, all);
    }

    /** Types of the table's columns that statements know. */
    static List<ColumnType> types(Table table) {
        return table.visibleColumns().stream().map(Column::type).toList();
    }
}
