package dev.fulmar.engine.catalog;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Enumeration;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/**
 * Gives tables and views the labels that a type has now. Invariant: codes stay what they are, so a literal of an
 * expression, and what is stored, means the same label as before.
 */
final class Retyping {
    private final UnaryOperator<ColumnType> types;

    private Retyping(UnaryOperator<ColumnType> types) {
        this.types = types;
    }

    /** To the type as it is now. */
    static Retyping to(Enumeration changed) {
        ColumnType now = ColumnType.of(changed);
        return new Retyping(type -> isOf(changed, type) ? now : type);
    }

    private static boolean isOf(Enumeration enumeration, ColumnType type) {
        return type.kind() == TypeKind.ENUM && type.precision() == enumeration.id();
    }

    /** Whether the table has the type, in a column or in an expression. */
    static boolean isUsed(Enumeration enumeration, Table table) {
        AtomicBoolean isFound = new AtomicBoolean();
        new Retyping(type -> {
                    isFound.compareAndSet(false, isOf(enumeration, type));
                    return type;
                })
                .of(table);
        return isFound.get();
    }

    /** Whether a column of the view has the type. */
    static boolean isUsed(Enumeration enumeration, View view) {
        return view.columns().stream().anyMatch(column -> isOf(enumeration, column.type()));
    }

    Table of(Table table) {
        Table retyped = table.withColumns(table.columns().stream().map(this::of).toList())
                .withIndexes(table.indexes().stream().map(this::of).toList())
                .withChecks(table.checks().stream().map(this::of).toList());
        return table.aggregation()
                .map(each -> retyped.withAggregation(of(each)))
                .orElse(retyped);
    }

    View of(View view) {
        return new View(
                view.name(),
                view.columns().stream()
                        .map(column -> new ResultColumn(column.name(), types.apply(column.type()), column.nullable()))
                        .toList(),
                view.text(),
                view.uses(),
                view.options());
    }

    private Column of(Column column) {
        Expression value = column.defaultValue();
        if (value instanceof Expression.Literal literal && isRenamed(literal)) {
            return new Column(
                    column.name(),
                    types.apply(column.type()),
                    column.nullable(),
                    new Expression.Literal(types.apply(literal.type()), literal.value()),
                    text(literal));
        }
        Generation generation = column.generation();
        return new Column(
                column.name(),
                types.apply(column.type()),
                column.nullable(),
                value == null ? null : of(value),
                column.defaultText(),
                generation == null ? null : new Generation(generation.text(), of(generation.value())));
    }

    private Index of(Index index) {
        return index.withColumns(
                index.columns().stream().map(this::of).toList(),
                index.condition().map(this::of));
    }

    private IndexColumn of(IndexColumn key) {
        return key.expression()
                .map(computed -> new IndexColumn(
                        new KeyExpression(computed.text(), of(computed.expression())), key.descending()))
                .orElse(key);
    }

    private Check of(Check check) {
        return new Check(check.name(), check.text(), of(check.condition()));
    }

    private Aggregation of(Aggregation view) {
        return new Aggregation(
                view.source(),
                view.join(),
                view.text(),
                view.groups(),
                view.isRegrouped(),
                view.condition().map(this::of),
                view.measures().stream()
                        .map(each -> new Aggregation.Measure(
                                each.function(), each.argument().map(this::of), types.apply(each.type())))
                        .toList(),
                view.outputs().stream()
                        .map(each -> new Aggregation.Output(
                                each.name(),
                                types.apply(each.type()),
                                each.nullable(),
                                each.reading(),
                                each.place(),
                                each.count()))
                        .toList());
    }

    /** Whether the literal is a label that the type now has another word for. */
    private boolean isRenamed(Expression.Literal literal) {
        ColumnType now = types.apply(literal.type());
        return literal.type().kind() == TypeKind.ENUM
                && literal.value() instanceof Long code
                && !now.equals(literal.type())
                && !now.labels().text(code).equals(literal.type().labels().text(code));
    }

    /** Whether a value that is stored would be another one with the new words: a comparison of labels has none. */
    private boolean dependsOnWords(Expression.Call call) {
        boolean makesLabels = isReworded(call.type())
                && call.function() == ScalarFunction.CAST
                && call.arguments().getFirst().type().kind() != TypeKind.ENUM;
        boolean readsLabels = call.arguments().stream().anyMatch(argument -> isReworded(argument.type()))
                && switch (call.function()) {
                    case CAST -> call.type().kind() != TypeKind.ENUM;
                    case CONCAT, CONCAT_KNOWN, TO_JSON -> true;
                    default -> false;
                };
        return makesLabels || readsLabels;
    }

    /** Whether a label of the type now has another word. */
    private boolean isReworded(ColumnType type) {
        return type.kind() == TypeKind.ENUM
                && type.labels().values().stream()
                        .anyMatch(value ->
                                !types.apply(type).labels().text(value.code()).equals(value.label()));
    }

    /** The new word for the label, as SQL writes it. */
    private String text(Expression.Literal literal) {
        return literal.value() instanceof Long code
                ? "'" + types.apply(literal.type()).labels().text(code).replace("'", "''") + "'"
                : "NULL";
    }

    private Expression of(Expression expression) {
        if (expression instanceof Expression.Literal literal && isRenamed(literal)) {
            throw new FulmarException(
                    ErrorCode.DEPENDENT_OBJECTS,
                    "a condition, an index, a generated column or a view names the label that would be " + text(literal)
                            + "; drop that one first, and make it anew after the change");
        }
        if (expression instanceof Expression.Call call && dependsOnWords(call)) {
            throw new FulmarException(
                    ErrorCode.DEPENDENT_OBJECTS,
                    "a condition, an index, a generated column or a view computes the text of labels, or labels of texts;"
                            + " drop that one first, and make it anew after the change");
        }
        ColumnType type = types.apply(expression.type());
        return switch (expression) {
            case Expression.Literal literal -> new Expression.Literal(type, literal.value());
            case Expression.ColumnReference reference ->
                new Expression.ColumnReference(reference.index(), type, reference.nullable());
            case Expression.OuterReference outer ->
                new Expression.OuterReference(outer.row(), outer.column(), type, outer.nullable());
            case Expression.Parameter parameter -> new Expression.Parameter(parameter.index(), type);
            case Expression.Call call ->
                new Expression.Call(
                        call.function(), call.arguments().stream().map(this::of).toList(), type, call.nullable());
        };
    }
}
