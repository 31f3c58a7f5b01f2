package dev.fulmar.sql.calcite;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.hint.RelHint;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;

/**
 * The rows of a table that shows the catalog, as constant rows of a query. Calcite would take their values for
 * conditions, and go through all of them wherever it combines two conditions.
 */
public final class CatalogRows {
    private static final RelHint MARK = RelHint.builder("CATALOG").build();

    private CatalogRows() {}

    public static RelNode of(RelOptCluster cluster, RelDataType type, ImmutableList<ImmutableList<RexLiteral>> tuples) {
        return LogicalValues.create(cluster, type, tuples).withHints(List.of(MARK));
    }

    /** Whether a part of a query is such rows. */
    public static boolean are(RelNode rel) {
        return rel instanceof Values values && values.getHints().contains(MARK);
    }
}
