package dev.fulmar.sql.planner;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
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

/**
 * An aggregation by several sets of keys (GROUPING SETS, ROLLUP, CUBE) as the union of aggregations by one set each.
 */
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
        RelNode input = LogicalRewrite.unshared(aggregate.getInput());
        List<AggregateCall> calls = aggregate.getAggCallList().stream()
                .filter(call -> !isGrouping(call))
                .map(call -> ofGroups(call, keys, input))
                .toList();
        if (keys.isEmpty() && calls.isEmpty()) {
            return theGroupOfAll(aggregate);
        }
        RelNode single = LogicalAggregate.create(input, List.of(), keys, null, calls);
        return LogicalProject.create(
                single,
                List.of(),
                columns(aggregate, keys, single),
                aggregate.getRowType().getFieldNames(),
                Set.of());
    }

    /** The call with its type where groups have these keys: with any key, no group is of nothing. */
    private static AggregateCall ofGroups(AggregateCall call, ImmutableBitSet keys, RelNode input) {
        return AggregateCall.create(
                call.getParserPosition(),
                call.getAggregation(),
                call.isDistinct(),
                call.isApproximate(),
                call.ignoreNulls(),
                call.rexList,
                call.getArgList(),
                call.filterArg,
                call.distinctKeys,
                call.getCollation(),
                keys.isEmpty(),
                input,
                null,
                call.name);
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
        List<RelDataType> types = RelOptUtil.getFieldTypeList(aggregate.getRowType());
        List<RexNode> columns = new ArrayList<>();
        for (int key : aggregate.getGroupSet()) {
            RelDataType type = types.get(columns.size());
            columns.add(
                    keys.get(key)
                            ? rexBuilder.ensureType(type, rexBuilder.makeInputRef(single, keys.indexOf(key)), true)
                            : rexBuilder.makeNullLiteral(type));
        }
        int place = keys.cardinality();
        for (AggregateCall call : aggregate.getAggCallList()) {
            RelDataType type = types.get(columns.size());
            columns.add(
                    isGrouping(call)
                            ? rexBuilder.makeLiteral(absent(call, keys), call.getType(), true)
                            : rexBuilder.ensureType(type, rexBuilder.makeInputRef(single, place++), true));
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
