package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.operator.RelationCompiler;
import dev.fulmar.engine.execution.operator.RelationCompiler.TableColumn;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.foundation.check.Invariants;
import java.util.List;
import java.util.Optional;

/**
 * The rows that an UPDATE or DELETE changes: a scan of its table, perhaps under filters, or a look-up of distinct keys
 * by an index. Invariant: each row is met once, unless a change lets an index yield it again.
 *
 * @param scan of the table
 * @param isLookUp whether the scan is repeated for several keys
 */
record TargetRows(Relation relation, Relation scan, boolean isLookUp) {
    static TargetRows of(Relation relation) {
        Relation scan = relation;
        while (scan instanceof Relation.Filter || scan instanceof Relation.Limit) {
            scan = scan instanceof Relation.Limit limit ? limit.input() : ((Relation.Filter) scan).input();
        }
        if (scan instanceof Relation.Project columns && columns.input() instanceof Relation.IndexJoin lookUp) {
            Invariants.check(lookUp.kind() == Relation.JoinKind.INNER, "each row of a look-up is one of the table");
            return new TargetRows(relation, lookUp.right(), true);
        }
        boolean valid = scan instanceof Relation.TableScan || scan instanceof Relation.IndexScan;
        Invariants.check(valid, "an UPDATE or DELETE has a scan of its table as target");
        return new TargetRows(relation, scan, false);
    }

    /** The index that is walked, if any. */
    Optional<Relation.IndexScan> indexScan() {
        return scan instanceof Relation.IndexScan index ? Optional.of(index) : Optional.empty();
    }

    /** The place in the frame at which the address of the row stands. */
    int source(RelationCompiler relations, List<Evaluator> columns) {
        TableColumn column = relations.tableColumn(columns.getFirst());
        if (column == null) {
            throw Invariants.breach("a scan yields the columns of its table");
        }
        return column.source();
    }
}
