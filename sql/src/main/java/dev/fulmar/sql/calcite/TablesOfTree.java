package dev.fulmar.sql.calcite;

import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;

/** Finds the tables that a tree reads, in its subqueries too. */
final class TablesOfTree {
    private TablesOfTree() {}

    static void collect(RelNode rel, Set<String> names) {
        CatalogTable table = rel instanceof TableScan scan ? scan.getTable().unwrap(CatalogTable.class) : null;
        if (table != null) {
            names.add(table.table().name());
        }
        rel.accept(new RexShuttle() {
            @Override
            public RexNode visitSubQuery(RexSubQuery subquery) {
                collect(subquery.rel, names);
                return super.visitSubQuery(subquery);
            }
        });
        rel.getInputs().forEach(input -> collect(input, names));
    }
}
