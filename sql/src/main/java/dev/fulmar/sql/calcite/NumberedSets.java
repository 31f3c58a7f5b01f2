package dev.fulmar.sql.calcite;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Intersect;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.logical.LogicalIntersect;
import org.apache.calcite.rel.logical.LogicalMinus;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexWindowBounds;
import org.apache.calcite.rex.RexWindowExclusion;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Turns INTERSECT ALL and EXCEPT ALL into the forms without ALL, over rows that are numbered: the first, second and so
 * on of their equals. So what one side has n times and the other m times is left min(n, m) times by the one and max(n -
 * m, 0) times by the other (ISO 9075-2, 7.17).
 */
final class NumberedSets {
    private static final String NUMBER = "$NUMBER";

    private NumberedSets() {}

    /** The same query, and the same in the subqueries of its expressions. */
    static RelNode settle(RelNode query) {
        RexShuttle within = new RexShuttle() {
            @Override
            public RexNode visitSubQuery(RexSubQuery subquery) {
                RexSubQuery visited = (RexSubQuery) super.visitSubQuery(subquery);
                return visited.clone(settle(visited.rel));
            }
        };
        return query.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                RelNode visited = super.visit(other).accept(within);
                return switch (visited) {
                    case Intersect intersect when intersect.all -> intersection(intersect);
                    case Minus minus when minus.all -> difference(minus);
                    default -> visited;
                };
            }
        });
    }

    private static RelNode intersection(Intersect intersect) {
        RelDataType type = intersect.getRowType();
        List<RelNode> numbered = intersect.getInputs().stream()
                .map(input -> numbered(input, type))
                .toList();
        return withoutNumber(LogicalIntersect.create(numbered, false), type);
    }

    /** Two at a time: what the second side takes away, the third cannot take again. */
    private static RelNode difference(Minus minus) {
        RelDataType type = minus.getRowType();
        RelNode left = minus.getInput(0);
        for (RelNode right : minus.getInputs().subList(1, minus.getInputs().size())) {
            List<RelNode> numbered = List.of(numbered(left, type), numbered(right, type));
            left = withoutNumber(LogicalMinus.create(numbered, false), type);
        }
        return left;
    }

    /** The rows as the type has them, with the number of each among its equals. */
    private static RelNode numbered(RelNode input, RelDataType type) {
        RexBuilder rexBuilder = input.getCluster().getRexBuilder();
        List<RexNode> values = new ArrayList<>();
        for (RelDataTypeField field : type.getFieldList()) {
            values.add(rexBuilder.ensureType(field.getType(), rexBuilder.makeInputRef(input, field.getIndex()), true));
        }
        RexNode number = rexBuilder.makeOver(
                rexBuilder.getTypeFactory().createSqlType(SqlTypeName.BIGINT),
                SqlStdOperatorTable.ROW_NUMBER,
                List.of(),
                values,
                ImmutableList.of(),
                RexWindowBounds.UNBOUNDED_PRECEDING,
                RexWindowBounds.CURRENT_ROW,
                RexWindowExclusion.EXCLUDE_NO_OTHER,
                true,
                true,
                false,
                false,
                false);
        List<RexNode> columns = new ArrayList<>(values);
        columns.add(number);
        List<String> names = new ArrayList<>(type.getFieldNames());
        names.add(NUMBER);
        return LogicalProject.create(input, List.of(), columns, names, Set.of());
    }

    private static RelNode withoutNumber(RelNode rel, RelDataType type) {
        RexBuilder rexBuilder = rel.getCluster().getRexBuilder();
        List<RexNode> columns = new ArrayList<>();
        for (RelDataTypeField field : type.getFieldList()) {
            columns.add(rexBuilder.ensureType(field.getType(), rexBuilder.makeInputRef(rel, field.getIndex()), true));
        }
        return LogicalProject.create(rel, List.of(), columns, type.getFieldNames(), Set.of());
    }
}
