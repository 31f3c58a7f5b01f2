package dev.fulmar.sql.planner;

import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Takes from the queries of EXISTS what cannot change whether there is a row: columns, DISTINCT, ORDER BY. What is
 * asked of NULL IN a query is also only whether there is a row: it is unknown then and false otherwise; Calcite takes
 * it for unknown always if the query refers to the outer row.
 */
final class ExistsInputs {
    private ExistsInputs() {}

    static RelNode simplify(RelNode query) {
        RexShuttle expressions = new RexShuttle() {
            @Override
            public RexNode visitSubQuery(RexSubQuery subquery) {
                RelNode inner = simplify(subquery.rel);
                if (subquery.getKind() == SqlKind.IN
                        && subquery.getOperands().size() == 1
                        && RexUtil.isNullLiteral(subquery.getOperands().getFirst(), true)) {
                    return unknownOfAnyRow(inner, subquery.getType());
                }
                return subquery.clone(subquery.getKind() == SqlKind.EXISTS ? bare(inner) : inner);
            }
        };
        return query.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                return super.visit(other).accept(expressions);
            }
        });
    }

    private static RexNode unknownOfAnyRow(RelNode query, RelDataType type) {
        RexBuilder rexBuilder = query.getCluster().getRexBuilder();
        return rexBuilder.makeCall(
                SqlStdOperatorTable.CASE,
                RexSubQuery.exists(bare(query)),
                rexBuilder.makeNullLiteral(type),
                rexBuilder.makeLiteral(false));
    }

    private static RelNode bare(RelNode query) {
        return switch (query) {
            case Project project when !project.containsOver() -> bare(project.getInput());
            case Sort sort when sort.fetch == null && sort.offset == null -> bare(sort.getInput());
            case Aggregate aggregate
            when !aggregate.getGroupSet().isEmpty() && aggregate.getGroupType() == Aggregate.Group.SIMPLE ->
                bare(aggregate.getInput());
            default -> query;
        };
    }
}
