package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Drawing;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.sql.calcite.CatalogTable;
import dev.fulmar.sql.calcite.QueryParser;
import dev.fulmar.sql.expression.ExpressionConverter;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/** Plans the rows that a write returns, made of the rows that it changes. */
public final class Returning {
    private Returning() {}

    /** The rest of the clause's query, whose list is there already. */
    public static String from(QueryParser.Parsed write) {
        return from(table(write), write);
    }

    /** The table that a write changes. */
    public static Table table(QueryParser.Parsed write) {
        if (!(write.root().rel instanceof TableModify modify)) {
            throw Invariants.breach("a write changes a table");
        }
        return Objects.requireNonNull(modify.getTable().unwrap(CatalogTable.class))
                .table();
    }

    /** The same of a write of the table. */
    public static String from(Table table, QueryParser.Parsed write) {
        return "\nFROM " + quoted(table.name()) + " AS "
                + quoted(write.alias().orElseGet(() -> SchemaName.local(table.name())));
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    /** The write with its clause. */
    public static StatementPlan plan(StatementPlan write, QueryParser.Parsed list) {
        RelNode rel = list.root().rel;
        if (!list.parameters().isEmpty() || !isOfRow(rel)) {
            throw SqlErrors.notSupported(
                    "RETURNING computes from the columns of the row that is changed: it has no parameters, subqueries, aggregates"
                            + " and window functions; query for them");
        }
        ExpressionConverter converter = new ExpressionConverter(rel.getCluster().getRexBuilder(), List.of());
        List<Expression> values = new ArrayList<>();
        List<ResultColumn> names = new ArrayList<>();
        for (int i = 0; i < list.columns().size(); i++) {
            RexNode value = rel instanceof Project project
                    ? project.getProjects().get(i)
                    : rel.getCluster().getRexBuilder().makeInputRef(rel, i);
            Expression converted = converter.convert(value);
            ResultColumn column = list.columns().get(i);
            values.add(converted);
            names.add(new ResultColumn(column.name(), converted.type(), column.nullable(), column.origin()));
        }
        if (values.stream().anyMatch(Drawing::happensIn)) {
            throw SqlErrors.notSupported("RETURNING draws no numbers; it shows those that the row has");
        }
        return write.returning(names, values);
    }

    private static boolean isOfRow(RelNode rel) {
        return rel instanceof TableScan
                || (rel instanceof Project project
                        && project.getInput() instanceof TableScan
                        && !project.containsOver()
                        && project.getProjects().stream().allMatch(each -> RexUtil.SubQueryFinder.find(each) == null));
    }
}
