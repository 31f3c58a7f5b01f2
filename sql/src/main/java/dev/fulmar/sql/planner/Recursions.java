package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Relation;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.sql.calcite.CatalogTable;
import dev.fulmar.sql.text.SqlErrors;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.TableScan;

/**
 * Plans recursive WITH: on a partition if it reads replicated tables only, otherwise in the merge. One per statement.
 */
final class Recursions {
    private final RelationPlanner planner;
    private final Map<List<String>, PlannedRelation> working = new HashMap<>();
    private int count;

    Recursions(RelationPlanner planner) {
        this.planner = planner;
    }

    /** Whether it reads no table but the rows of a recursion. */
    static boolean isWorking(TableScan scan) {
        return scan.getTable().unwrap(CatalogTable.class) == null;
    }

    /** The rows of the round before. */
    PlannedRelation working(TableScan scan) {
        PlannedRelation plannedRelation = working.get(scan.getTable().getQualifiedName());
        if (plannedRelation == null) {
            throw SqlErrors.notSupported("a recursive query may be read within its own WITH only");
        }
        return plannedRelation;
    }

    PlannedRelation plan(RepeatUnion union) {
        if (union.getTransientTable() == null) {
            throw SqlErrors.notSupported("this form of recursion is not supported");
        }
        List<String> name = union.getTransientTable().getQualifiedName();
        List<ColumnType> types = RelationPlanner.types(union);
        Relation.WorkingRows rows = new Relation.WorkingRows(count++, types);
        RelationPlanner.Mark mark = planner.mark();
        working.put(name, PlannedRelation.unordered(rows, new Distribution.Everywhere()));
        PlannedRelation seed = planner.plan(union.getSeedRel(), List.of());
        PlannedRelation step = planner.plan(union.getIterativeRel(), List.of());
        Distribution everywhere = new Distribution.Everywhere();
        boolean here = !planner.hasShippedSince(mark)
                && seed.distribution().equals(everywhere)
                && step.distribution().equals(everywhere);
        if (!here) {
            planner.backTo(mark);
            working.put(name, PlannedRelation.unordered(rows, new Distribution.Merged()));
            seed = planner.ship(planner.plan(union.getSeedRel(), List.of()));
            step = planner.plan(new ReusableExchange(planner).received(union.getIterativeRel()), List.of());
        }
        Relation relation = new Relation.Recursion(
                RelationPlanner.labelledCast(seed.relation(), types),
                RelationPlanner.labelledCast(step.relation(), types),
                !union.all,
                rows.rows());
        return PlannedRelation.unordered(relation, here ? everywhere : seed.distribution());
    }
}
