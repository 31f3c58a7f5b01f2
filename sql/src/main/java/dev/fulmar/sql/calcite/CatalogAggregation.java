package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Aggregation.Output;
import dev.fulmar.engine.catalog.Table;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.prepare.RelOptTableImpl;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.ImmutableBitSet;

/** A materialized view as Calcite sees it: a table that becomes a query of the rows that are kept. */
final class CatalogAggregation extends AbstractTable implements TranslatableTable {
    private final Table table;
    private final Aggregation aggregation;

    CatalogAggregation(Table table, Aggregation aggregation) {
        this.table = table;
        this.aggregation = aggregation;
    }

    @Override
    public Schema.TableType getJdbcTableType() {
        return Schema.TableType.MATERIALIZED_VIEW;
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory typeFactory) {
        RelDataTypeFactory.Builder builder = typeFactory.builder();
        for (Output output : aggregation.outputs()) {
            builder.add(output.name(), TypeMapping.relDataType(typeFactory, output.type(), output.nullable()));
        }
        return builder.build();
    }

    /** The other ways to make a table want a path of schemas, which nobody asks for. */
    @SuppressWarnings("deprecation")
    private RelOptTable rows(RelOptTable view, RelDataTypeFactory typeFactory) {
        CatalogTable kept = new CatalogTable(table);
        return RelOptTableImpl.create(
                view.getRelOptSchema(), kept.getRowType(typeFactory), view.getQualifiedName(), kept, (Expression) null);
    }

    @Override
    public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable view) {
        RelDataTypeFactory typeFactory = context.getCluster().getTypeFactory();
        RelOptTable rows = rows(view, typeFactory);
        RelNode scan = LogicalTableScan.create(context.getCluster(), rows, List.of());
        RelNode groups = aggregation.isRegrouped() ? together(scan) : scan;
        RexBuilder rexBuilder = context.getCluster().getRexBuilder();
        List<RexNode> values = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (Output output : aggregation.outputs()) {
            RelDataType type = TypeMapping.relDataType(typeFactory, output.type(), true);
            values.add(value(output, groups, rexBuilder, type));
            names.add(output.name());
        }
        RelNode read = LogicalProject.create(groups, List.of(), values, names, Set.of());
        return RelOptUtil.createCastRel(read, view.getRowType(), true);
    }

    /** Groups that lie on several partitions, or in several rows of one, as one. */
    private RelNode together(RelNode scan) {
        List<AggregateCall> calls = new ArrayList<>();
        for (int i = 0; i < aggregation.measures().size(); i++) {
            SqlAggFunction function = switch (aggregation.measures().get(i).function()) {
                case COUNT, SUM -> SqlStdOperatorTable.SUM0;
                case MIN -> SqlStdOperatorTable.MIN;
                case MAX -> SqlStdOperatorTable.MAX;
            };
            int column = aggregation.column(i);
            RelDataType type = scan.getRowType().getFieldList().get(column).getType();
            calls.add(AggregateCall.create(
                    function,
                    false,
                    false,
                    false,
                    List.of(),
                    List.of(column),
                    -1,
                    null,
                    RelCollations.EMPTY,
                    type,
                    "M" + i));
        }
        return LogicalAggregate.create(scan, List.of(), ImmutableBitSet.range(visibleGroups()), null, calls);
    }

    private int visibleGroups() {
        return aggregation.groups().size() - (aggregation.isRegrouped() ? 1 : 0);
    }

    private RexNode measure(int number, RelNode groups, RexBuilder rexBuilder) {
        int column = aggregation.isRegrouped() ? visibleGroups() + number : aggregation.column(number);
        return rexBuilder.makeInputRef(groups, column);
    }

    private RexNode value(Output output, RelNode groups, RexBuilder rexBuilder, RelDataType type) {
        return switch (output.reading()) {
            case GROUP -> rexBuilder.makeInputRef(groups, output.place());
            case COUNT, MIN, MAX -> measure(output.place(), groups, rexBuilder);
            case SUM ->
                unlessNone(
                        output,
                        rexBuilder.makeCast(type, measure(output.place(), groups, rexBuilder)),
                        groups,
                        rexBuilder,
                        type);
            case AVERAGE -> unlessNone(output, average(output, groups, rexBuilder, type), groups, rexBuilder, type);
        };
    }

    private RexNode average(Output output, RelNode groups, RexBuilder rexBuilder, RelDataType type) {
        RexNode sum = measure(output.place(), groups, rexBuilder);
        RexNode count = measure(output.count(), groups, rexBuilder);
        boolean isExact = type.getSqlTypeName() == SqlTypeName.DECIMAL;
        RexNode dividend = isExact ? sum : rexBuilder.makeCast(type, sum);
        RexNode divisor = isExact ? count : rexBuilder.makeCast(type, count);
        return rexBuilder.makeCall(type, SqlStdOperatorTable.DIVIDE, List.of(dividend, divisor));
    }

    /** A sum of no values is null. */
    private RexNode unlessNone(Output output, RexNode value, RelNode groups, RexBuilder rexBuilder, RelDataType type) {
        if (output.count() == 0) {
            return value; // it counts the rows, of which there is one
        }
        RexNode isSome = rexBuilder.makeCall(
                SqlStdOperatorTable.GREATER_THAN,
                measure(output.count(), groups, rexBuilder),
                rexBuilder.makeExactLiteral(BigDecimal.ZERO));
        return rexBuilder.makeCall(
                type, SqlStdOperatorTable.CASE, List.of(isSome, value, rexBuilder.makeNullLiteral(type)));
    }
}
