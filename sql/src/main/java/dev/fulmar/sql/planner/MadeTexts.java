package dev.fulmar.sql.planner;

import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;

/** Finds texts of results that functions and literals make: they have no length, as those of columns and CASTs have. */
final class MadeTexts {
    /** Calls whose value is one of their arguments, or has the length that a CAST says. */
    private static final Set<SqlKind> CHOICES = Set.of(
            SqlKind.CAST,
            SqlKind.SAFE_CAST,
            SqlKind.REINTERPRET,
            SqlKind.CASE,
            SqlKind.COALESCE,
            SqlKind.NVL,
            SqlKind.NULLIF,
            SqlKind.GREATEST,
            SqlKind.LEAST);

    private MadeTexts() {}

    /** Whether the field of the relation is such a text. */
    static boolean isMade(RelNode rel, int field) {
        return switch (rel) {
            case Project project -> isMade(project.getProjects().get(field), project.getInput());
            case Values ignored -> true;
            case Filter filter -> isMade(filter.getInput(), field);
            case Sort sort -> isMade(sort.getInput(), field);
            case Aggregate aggregate ->
                field < aggregate.getGroupCount()
                        && isMade(aggregate.getInput(), aggregate.getGroupSet().nth(field));
            case Join join -> {
                int left = join.getLeft().getRowType().getFieldCount();
                boolean hasRight = join.getRowType().getFieldCount() > left;
                yield field < left ? isMade(join.getLeft(), field) : hasRight && isMade(join.getRight(), field - left);
            }
            default -> false;
        };
    }

    private static boolean isMade(RexNode value, RelNode input) {
        return switch (value) {
            case RexLiteral literal -> literal.getType().getSqlTypeName() == SqlTypeName.CHAR; // else a CAST says it
            case RexInputRef reference -> isMade(input, reference.getIndex());
            case RexSubQuery ignored -> false;
            case RexCall call ->
                !CHOICES.contains(call.getKind())
                        && !call.getOperator().getName().equals("GREATEST")
                        && !call.getOperator().getName().equals("LEAST")
                        && !call.getOperator().getName().startsWith("#GREATEST")
                        && !call.getOperator().getName().startsWith("#LEAST");
            default -> false;
        };
    }
}
