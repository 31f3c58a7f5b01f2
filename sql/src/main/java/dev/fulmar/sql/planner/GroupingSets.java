package dev.fulmar.sql.planner;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/** An aggregation by several sets of keys (GROUPING SETS, ROLLUP, CUBE) as the union of aggregations by one set each. */
final class GroupingSets {
    private GroupingSets() {}

    static RelNode united(Aggregate aggregate) {
        List<RelNode> parts = new ArrayList<>();
        for (ImmutableBitSet keys : aggregate.getGroupSets()) {
            parts.add(part(aggregate, keys));
        }
        return LogicalUnion.create(parts, true);
    }

    private static RelNode part(Aggregate aggregate, ImmutableBitSet keys) {
        List<AggregateCall> calls = aggregate.getAggCallList().stream()
                .filter(call -> !isGrouping(call))
                .toList();
        if (keys.isEmpty() && calls.isEmpty()) {
            return theGroupOfAll(aggregate);
        }
        RelNode input = LogicalRewrite.unshared(aggregate.getInput());
        RelNode single = LogicalAggregate.create(input, List.of(), keys, null, calls);
        return LogicalProject.create(
                single,
                List.of(),
                columns(aggregate, keys, single),
                aggregate.getRowType().getFieldNames(),
                Set.of());
    }

    /** One row even of nothing. */
    private static RelNode theGroupOfAll(Aggregate aggregate) {
        RelNode one = LogicalValues.createOneRow(aggregate.getCluster());
        List<RexNode> columns = columns(aggregate, ImmutableBitSet.of(), one);
        return LogicalProject.create(
                one, List.of(), columns, aggregate.getRowType().getFieldNames(), Set.of());
    }

    private static List<RexNode> columns(Aggregate aggregate, ImmutableBitSet keys, RelNode single) {
        RexBuilder rexBuilder = aggregate.getCluster().getRexBuilder();
        List<RexNode> columns = new ArrayList<>();
        for (int key : aggregate.getGroupSet()) {
            RelDataType type =
                    aggregate.getRowType().getFieldList().get(columns.size()).getType();
            columns.add(
                    keys.get(key)
                            ? rexBuilder.makeInputRef(single, keys.indexOf(key))
                            : rexBuilder.makeNullLiteral(type));
        }
        int place = keys.cardinality();
        for (AggregateCall call : aggregate.getAggCallList()) {
            columns.add(
                    isGrouping(call)
                            ? rexBuilder.makeLiteral(absent(call, keys), call.getType(), true)
                            : rexBuilder.makeInputRef(single, place++));
        }
        return columns;
    }

    private static boolean isGrouping(AggregateCall call) {
        return call.getAggregation().getKind() == SqlKind.GROUPING
                || call.getAggregation().getName().equals("GROUPING_ID");
    }

    /** GROUPING: a bit for each argument, the last one lowest, that says whether it is no key here. */
    private static Long absent(AggregateCall call, ImmutableBitSet keys) {
        long bits = 0;
        for (int argument : call.getArgList()) {
            bits = 2 * bits + (keys.get(argument) ? 0 : 1);
        }
        return bits;
    }
}
