package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.execution.value.ErrorPlaces;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Expression.Call;
import dev.fulmar.engine.plan.Expression.Literal;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Operators;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds literals that are no values of the types that they have to be. A planned statement has each as a conversion
 * that was left to the engine; it would fail for the first row, and not at all where there is none. Invariant: such a
 * statement of a client fails whatever its tables hold, with the error that the conversion has. So does one that asks
 * for the hour of a date. Statements that were
 * accepted once, in procedures, views and logs, are not checked again, so that no data directory is refused for one of
 * them.
 */
public final class LiteralCheck {
    private static final int MOST_SCRATCH_BYTES = 1 << 20;

    private final ExpressionCompiler compiler = new ExpressionCompiler(List.of());
    private final Frame frame = new Frame(0, new ScratchMemory(MOST_SCRATCH_BYTES), new ParameterSlots());
    private final Catalog catalog;

    private LiteralCheck(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Fails as the first such conversion does; an error of a value that is to be stored names its column. */
    public static void check(StatementPlan plan, Catalog catalog) {
        new LiteralCheck(catalog).plan(plan);
    }

    private void plan(StatementPlan plan) {
        plan.fragments().forEach(fragment -> operation(fragment.operation()));
        plan.merge().ifPresent(this::relation);
        plan.steps().ifPresent(steps -> plan(steps.source()));
    }

    private void operation(Operation operation) {
        switch (operation) {
            case Operation.Query query -> relation(query.relation());
            case Operation.Insert insert -> {
                insert.returning().forEach(this::expression);
                inserted(insert);
                if (insert.onConflict() instanceof ConflictAction.Change change) {
                    assigned(insert.table(), change.assignments());
                    Optional.ofNullable(change.condition()).ifPresent(this::expression);
                }
            }
            case Operation.Update update -> {
                relation(update.target());
                update.returning().forEach(this::expression);
                assigned(update.table(), update.assignments());
            }
            case Operation.Delete delete -> {
                relation(delete.target());
                delete.returning().forEach(this::expression);
            }
        }
    }

    private void assigned(int table, List<Operation.Assignment> assignments) {
        assignments.forEach(each -> stored(each.value(), columnText(table, each.column())));
    }

    private void inserted(Operation.Insert insert) {
        switch (insert.source()) {
            case Relation.Values values -> values.rows().forEach(row -> row(insert.table(), row));
            case Relation.Project project -> {
                row(insert.table(), project.expressions());
                relation(project.input());
            }
            default -> relation(insert.source());
        }
    }

    private void row(int table, List<Expression> values) {
        for (int column = 0; column < values.size(); column++) {
            stored(values.get(column), columnText(table, column));
        }
    }

    private String columnText(int id, int column) {
        return catalog.tables().values().stream()
                .filter(table -> table.id() == id)
                .findFirst()
                .map(table -> table.columnText(column))
                .orElse("");
    }

    private void stored(Expression value, String place) {
        try {
            expression(value);
        } catch (FulmarException e) {
            boolean isNamed = value instanceof Call call && call.function() == ScalarFunction.NAMED;
            throw isNamed ? e : ErrorPlaces.ofValue(place, e);
        }
    }

    private void relation(Relation relation) {
        Operators.of(relation).forEach(this::operator);
    }

    private void operator(Relation operator) {
        switch (operator) {
            case Relation.TableScan scan -> optional(scan.filter());
            case Relation.IndexScan scan -> {
                key(scan.key());
                optional(scan.filter());
            }
            case Relation.Filter filter -> expression(filter.condition());
            case Relation.Project project -> project.expressions().forEach(this::expression);
            case Relation.Values values -> values.rows().forEach(row -> row.forEach(this::expression));
            case Relation.FunctionRows rows ->
                rows.functions().forEach(function -> function.arguments().forEach(this::expression));
            case Relation.NestedLoopJoin join -> optional(join.condition());
            case Relation.IndexJoin join -> optional(join.condition());
            case Relation.HashJoin join -> {
                join.leftKeys().forEach(this::expression);
                join.rightKeys().forEach(this::expression);
                optional(join.condition());
            }
            case Relation.Aggregate aggregate -> {
                aggregate.keys().forEach(this::expression);
                aggregate.calls().forEach(call -> call.read().forEach(this::expression));
            }
            case Relation.Sort sort -> sort.keys().forEach(key -> expression(key.value()));
            case Relation.Window _,
                    Relation.Limit _,
                    Relation.UnionAll _,
                    Relation.Recursion _,
                    Relation.WorkingRows _,
                    Relation.Receive _,
                    Relation.Apply _,
                    Relation.Measured _,
                    Relation.Annotated _ -> {
                // Their values are columns of what is below, or numbers of rows.
            }
        }
    }

    private void key(Relation.IndexKey key) {
        key.equal().forEach(this::expression);
        key.lower().ifPresent(bound -> expression(bound.value()));
        key.upper().ifPresent(bound -> expression(bound.value()));
    }

    private void optional(@Nullable Expression expression) {
        if (expression != null) {
            expression(expression);
        }
    }

    private void expression(Expression expression) {
        if (!(expression instanceof Call call)) {
            return;
        }
        if (call.function() == ScalarFunction.CAST
                && call.arguments().getFirst() instanceof Literal literal
                && literal.value() != null) {
            evaluate(call);
        } else if (call.function() == ScalarFunction.NAMED
                && call.arguments().get(1) instanceof Literal(var _, String place)) {
            try {
                expression(call.arguments().getFirst());
            } catch (FulmarException e) {
                throw ErrorPlaces.ofValue(place, e);
            }
        } else {
            clock(call);
            call.arguments().forEach(this::expression);
        }
    }

    /** Fails for hours and shorter fields of a date, which has none. */
    private static void clock(Call call) {
        switch (call.function()) {
            case EXTRACT_HOUR, EXTRACT_MINUTE, EXTRACT_SECOND, EXTRACT_MICROSECOND -> {
                if (call.arguments().getFirst().type().kind() == TypeKind.DATE) {
                    throw new FulmarException(
                            ErrorCode.NOT_SUPPORTED,
                            "a DATE has no " + call.function().name().substring("EXTRACT_".length())
                                    + "; CAST it to TIMESTAMP first");
                }
            }
            default -> {
                // Other functions take what the planner gives them.
            }
        }
    }

    private void evaluate(Call conversion) {
        switch (compiler.compile(conversion)) {
            case LongEvaluator number -> number.evaluate(frame);
            case DoubleEvaluator number -> number.evaluate(frame);
            case WideEvaluator wide -> wide.evaluate(frame);
            case BytesEvaluator bytes -> bytes.evaluate(frame);
        }
        frame.temporary.reset(0);
    }
}
