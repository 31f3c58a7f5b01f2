package dev.fulmar.engine.plan;

import dev.fulmar.engine.plan.Expression.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * The columns in which a write stores parameters as they are, for messages about a parameter. A parameter inside of an
 * expression has no column.
 */
public final class AssignedColumns {
    private static final int NONE = -1;

    private final int[] columns;
    private int table = NONE;

    private AssignedColumns(StatementPlan plan) {
        columns = new int[plan.parameters().size()];
        Arrays.fill(columns, NONE);
        boolean isDirect = plan.steps().filter(steps -> !steps.isUpkeep()).isEmpty();
        if (isDirect && (plan.fragments().size() == 1 || plan.steps().isPresent())) {
            switch (plan.fragments().getFirst().operation()) {
                case Operation.Insert insert -> {
                    table = insert.table();
                    ofSource(insert.source());
                    if (insert.onConflict() instanceof ConflictAction.Change change) {
                        change.assignments().forEach(each -> add(each.value(), each.column()));
                    }
                }
                case Operation.Update update -> {
                    table = update.table();
                    update.assignments().forEach(each -> add(each.value(), each.column()));
                }
                case Operation.Query _, Operation.Delete _ -> {
                    // Stores nothing.
                }
            }
        }
    }

    public static AssignedColumns of(StatementPlan plan) {
        return new AssignedColumns(plan);
    }

    private void ofSource(Relation source) {
        switch (source) {
            case Relation.Values values -> values.rows().forEach(this::ofRow);
            case Relation.Project project -> ofRow(project.expressions());
            default -> {
                // Parameters are further below, in expressions.
            }
        }
    }

    private void ofRow(List<Expression> row) {
        for (int column = 0; column < row.size(); column++) {
            add(row.get(column), column);
        }
    }

    private void add(Expression value, int column) {
        if (value instanceof Parameter parameter && parameter.index() < columns.length) {
            columns[parameter.index()] = column;
        }
    }

    /** The id of the table that the statement changes; empty if no parameter has a column. */
    public OptionalInt table() {
        return Arrays.stream(columns).allMatch(column -> column == NONE) ? OptionalInt.empty() : OptionalInt.of(table);
    }

    /** The position of the column that stores the parameter; empty if there is none. */
    public OptionalInt column(int parameter) {
        return columns[parameter] == NONE ? OptionalInt.empty() : OptionalInt.of(columns[parameter]);
    }
}
