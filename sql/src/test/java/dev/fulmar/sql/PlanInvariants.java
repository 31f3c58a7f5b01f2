package dev.fulmar.sql;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks what every plan promises its executor: references in range and of the right type, operands alike, keys that
 * fit their index.
 */
final class PlanInvariants {
    private final Catalog catalog;
    private final StatementPlan plan;
    private final Map<Integer, List<ColumnType>> outerRows = new HashMap<>();

    private PlanInvariants(Catalog catalog, StatementPlan plan) {
        this.catalog = catalog;
        this.plan = plan;
    }

    static void check(StatementPlan plan, Catalog catalog) {
        if (plan.steps().isPresent()) {
            StatementPlan.Steps steps = plan.steps().get();
            check(steps.source(), catalog);
            steps.changes().forEach(change -> check(change, catalog));
            return;
        }
        PlanInvariants invariants = new PlanInvariants(catalog, plan);
        plan.fragments().forEach(invariants::fragment);
        plan.merge().ifPresent(invariants::relation);
        plan.onOnePartition().ifPresent(invariants::relation);
        assertThat(plan.onOnePartition().isPresent()).isEqualTo(plan.merge().isPresent());
        if (!plan.columns().isEmpty()) {
            List<ColumnType> yielded = plan.merge()
                    .map(Relation::columns)
                    .orElseGet(() -> yielded(plan.fragments().getFirst().operation()));
            assertThat(yielded.stream().map(ColumnType::kind).toList())
                    .as("types of the result")
                    .isEqualTo(plan.columns().stream()
                            .map(column -> column.type().kind())
                            .toList());
        }
        assertThat(plan.merge().isPresent() || plan.fragments().size() == 1).isTrue();
    }

    private static List<ColumnType> yielded(Operation operation) {
        return switch (operation) {
            case Operation.Query query -> query.relation().columns();
            case Operation.Insert insert -> types(insert.returning());
            case Operation.Update update -> types(update.returning());
            case Operation.Delete delete -> types(delete.returning());
        };
    }

    private static List<ColumnType> types(List<Expression> expressions) {
        return expressions.stream().map(Expression::type).toList();
    }

    private void assigned(List<Operation.Assignment> assignments, List<ColumnType> read, Table table) {
        for (Operation.Assignment assignment : assignments) {
            expression(assignment.value(), read);
            assertAlike(
                    assignment.value().type(),
                    table.columns().get(assignment.column()).type());
        }
    }

    private void fragment(StatementPlan.Fragment fragment) {
        switch (fragment.operation()) {
            case Operation.Query query -> relation(query.relation());
            case Operation.Insert insert -> {
                relation(insert.source());
                assignable(insert.source().columns(), table(insert.table()));
                if (insert.onConflict() instanceof ConflictAction.Change change) {
                    List<ColumnType> both = new ArrayList<>();
                    Collections.nCopies(2, table(insert.table()).columns())
                            .forEach(columns ->
                                    columns.stream().map(Column::type).forEach(both::add));
                    assigned(change.assignments(), both, table(insert.table()));
                    if (change.condition() != null) {
                        expression(change.condition(), both);
                        assertThat(change.condition().type().kind()).isEqualTo(TypeKind.BOOLEAN);
                    }
                }
            }
            case Operation.Update update -> {
                relation(update.target());
                assigned(update.assignments(), update.target().columns(), table(update.table()));
            }
            case Operation.Delete delete -> relation(delete.target());
        }
        if (fragment.scope() instanceof PartitionScope.Keys keys) {
            assertThat(keys.values())
                    .allMatch(value -> value instanceof Expression.Parameter || value instanceof Expression.Literal);
            keys.values().forEach(value -> expression(value, List.of()));
        }
    }

    private static void assignable(List<ColumnType> types, Table table) {
        assertThat(types).hasSameSizeAs(table.columns());
        for (int i = 0; i < types.size(); i++) {
            assertAlike(types.get(i), table.columns().get(i).type());
        }
    }

    /** Values of one type can stand where the other is needed without conversion. */
    private static void assertAlike(ColumnType a, ColumnType b) {
        if ((a.kind().isCharacter() && b.kind().isCharacter())
                || (a.kind() == b.kind() && a.kind() == TypeKind.VARBINARY)) {
            return;
        }
        assertThat(a.kind()).isEqualTo(b.kind());
        assertThat(a.scale()).isEqualTo(b.scale());
        assertThat(a.storage()).isEqualTo(b.storage());
    }

    private Table table(int id) {
        return catalog.tables().values().stream()
                .filter(table -> table.id() == id)
                .findFirst()
                .orElseThrow();
    }

    private void relation(Relation relation) {
        relation(relation, List.of());
    }

    private void relation(Relation relation, List<ColumnType> outer) {
        switch (relation) {
            case Relation.TableScan scan -> {
                assertThat(scan.columns()).isIn(tableTypes(scan.table()), visibleTypes(scan.table()));
                optional(scan.filter(), scan.columns());
            }
            case Relation.IndexScan scan -> indexScan(scan, outer);
            case Relation.Filter filter -> {
                relation(filter.input());
                expression(filter.condition(), filter.input().columns());
            }
            case Relation.Project project -> {
                relation(project.input());
                project.expressions()
                        .forEach(each -> expression(each, project.input().columns()));
            }
            case Relation.NestedLoopJoin join -> {
                relation(join.left());
                relation(join.right());
                optional(join.condition(), both(join.left(), join.right()));
            }
            case Relation.IndexJoin join -> {
                relation(join.left());
                relation(join.right(), join.left().columns());
                optional(join.condition(), both(join.left(), join.right()));
            }
            case Relation.HashJoin join -> hashJoin(join);
            case Relation.Apply apply -> {
                relation(apply.left());
                outerRows.put(apply.row(), apply.left().columns());
                relation(apply.right(), outer);
                outerRows.remove(apply.row());
            }
            case Relation.Aggregate aggregate -> aggregate(aggregate);
            case Relation.Window window -> window(window);
            case Relation.Sort sort -> {
                relation(sort.input());
                sort.keys().forEach(key -> expression(key.value(), sort.input().columns()));
            }
            case Relation.Limit limit -> limit(limit);
            case Relation.UnionAll union -> {
                union.inputs().forEach(this::relation);
                union.inputs().forEach(input -> sameTypes(input.columns(), union.columns()));
            }
            case Relation.Recursion recursion -> {
                relation(recursion.seed());
                relation(recursion.step());
                sameTypes(recursion.step().columns(), recursion.seed().columns());
            }
            case Relation.WorkingRows rows -> assertThat(rows.columns()).isNotEmpty();
            case Relation.Values values -> values(values);
            case Relation.FunctionRows rows -> functions(rows);
            case Relation.Receive receive -> receive(receive);
            case Relation.Measured measured -> relation(measured.input());
            case Relation.Annotated annotated -> annotated(annotated);
        }
    }

    private void window(Relation.Window window) {
        List<ColumnType> columns = window.input().columns();
        relation(window.input());
        window.partitions().forEach(value -> expression(value, columns));
        window.order().forEach(key -> expression(key.value(), columns));
    }

    private void annotated(Relation.Annotated annotated) {
        relation(annotated.input());
        sameTypes(annotated.input().columns(), Relation.Measured.FIGURES);
    }

    private void functions(Relation.FunctionRows rows) {
        rows.functions().forEach(function -> function.arguments().forEach(value -> expression(value, List.of())));
    }

    private void values(Relation.Values values) {
        for (List<Expression> row : values.rows()) {
            row.forEach(value -> expression(value, List.of()));
            sameTypes(row.stream().map(Expression::type).toList(), values.columns());
        }
    }

    private void receive(Relation.Receive receive) {
        Operation operation = plan.fragments().get(receive.fragment()).operation();
        Relation yielding = ((Operation.Query) operation).relation();
        // The merge of what is measured takes rows without figures, and the figures by themselves.
        List<ColumnType> columns = yielding instanceof Relation.Measured measured
                        && receive.columns().size() < measured.columns().size()
                ? measured.input().columns()
                : yielding.columns();
        assertThat(receive.columns()).isEqualTo(columns);
    }

    private void limit(Relation.Limit limit) {
        relation(limit.input());
        optional(limit.offset(), List.of());
        optional(limit.fetch(), List.of());
    }

    private static void sameTypes(List<ColumnType> types, List<ColumnType> expected) {
        assertThat(types).hasSameSizeAs(expected);
        for (int i = 0; i < types.size(); i++) {
            assertAlike(types.get(i), expected.get(i));
        }
    }

    private void hashJoin(Relation.HashJoin join) {
        relation(join.left());
        relation(join.right());
        assertThat(join.leftKeys()).isNotEmpty().hasSameSizeAs(join.rightKeys());
        for (int i = 0; i < join.leftKeys().size(); i++) {
            expression(join.leftKeys().get(i), join.left().columns());
            expression(join.rightKeys().get(i), join.right().columns());
            assertAlike(join.leftKeys().get(i).type(), join.rightKeys().get(i).type());
        }
        optional(join.condition(), both(join.left(), join.right()));
    }

    private void aggregate(Relation.Aggregate aggregate) {
        relation(aggregate.input());
        aggregate.keys().forEach(key -> expression(key, aggregate.input().columns()));
        for (Relation.AggregateCall call : aggregate.calls()) {
            optional(call.argument(), aggregate.input().columns());
            optional(call.filter(), aggregate.input().columns());
        }
    }

    private void indexScan(Relation.IndexScan scan, List<ColumnType> outer) {
        Table table = table(scan.table());
        assertThat(scan.columns()).isIn(tableTypes(scan.table()), visibleTypes(scan.table()));
        Index index = table.indexes().stream()
                .filter(each -> each.id() == scan.key().index())
                .findFirst()
                .orElseThrow();
        List<Expression> values = new ArrayList<>(scan.key().equal());
        assertThat(values.size()).isLessThanOrEqualTo(index.columns().size());
        if (index.kind() == IndexKind.HASH) {
            assertThat(values).hasSameSizeAs(index.columns());
        }
        for (int i = 0; i < values.size(); i++) {
            keyValue(values.get(i), table, index, i, outer);
        }
        scan.key().lower().ifPresent(bound -> keyValue(bound.value(), table, index, values.size(), outer));
        scan.key().upper().ifPresent(bound -> keyValue(bound.value(), table, index, values.size(), outer));
        optional(scan.filter(), scan.columns());
    }

    private void keyValue(Expression value, Table table, Index index, int position, List<ColumnType> outer) {
        expression(value, outer);
        ColumnType key = index.columns().get(position).type(table);
        if (!value.type().kind().isInteger() || !key.kind().isInteger()) { // an index takes integers of any width
            assertAlike(value.type(), key);
        }
    }

    private List<ColumnType> tableTypes(int table) {
        return table(table).columns().stream().map(Column::type).toList();
    }

    /** Types without that of a row id, which only an UPDATE reads. */
    private List<ColumnType> visibleTypes(int table) {
        return table(table).visibleColumns().stream().map(Column::type).toList();
    }

    private static List<ColumnType> both(Relation left, Relation right) {
        List<ColumnType> types = new ArrayList<>(left.columns());
        types.addAll(right.columns());
        return types;
    }

    private void optional(@Nullable Expression expression, List<ColumnType> row) {
        if (expression != null) {
            expression(expression, row);
        }
    }

    private void expression(Expression expression, List<ColumnType> row) {
        switch (expression) {
            case Expression.ColumnReference reference -> {
                assertThat(reference.index()).isBetween(0, row.size() - 1);
                assertAlike(reference.type(), row.get(reference.index()));
            }
            case Expression.OuterReference reference -> {
                assertThat(outerRows).containsKey(reference.row());
                assertAlike(
                        reference.type(),
                        requireNonNull(outerRows.get(reference.row())).get(reference.column()));
            }
            case Expression.Parameter parameter ->
                assertAlike(parameter.type(), plan.parameters().get(parameter.index()));
            case Expression.Literal literal -> {}
            case Expression.Call call -> {
                call.arguments().forEach(argument -> expression(argument, row));
                call(call);
            }
        }
    }

    private static boolean isMoment(ColumnType type) {
        return type.kind() == TypeKind.DATE || type.kind() == TypeKind.TIME || type.kind() == TypeKind.TIMESTAMP;
    }

    private static void call(Expression.Call call) {
        List<ColumnType> types = call.arguments().stream().map(Expression::type).toList();
        switch (call.function()) {
            case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL, IS_NOT_DISTINCT_FROM, IN ->
                types.forEach(type -> assertAlike(type, types.getFirst()));
            case PLUS, MINUS, TIMES, DIVIDE, MODULO ->
                types.forEach(type -> {
                    if (types.stream().anyMatch(PlanInvariants::isMoment)) {
                        assertThat(type.storage()).isEqualTo(TypeKind.Storage.LONG);
                    } else if (call.type().kind() == TypeKind.DECIMAL) {
                        assertThat(type.kind().isInteger() || type.kind() == TypeKind.DECIMAL)
                                .isTrue();
                    } else {
                        assertThat(type).isEqualTo(call.type());
                    }
                });
            case NEGATE, COALESCE, GREATEST, LEAST, GREATEST_KNOWN, LEAST_KNOWN ->
                types.forEach(
                        type -> assertThat(type.kind()).isEqualTo(call.type().kind()));
            case AND, OR, NOT -> types.forEach(type -> assertThat(type.kind()).isEqualTo(TypeKind.BOOLEAN));
            default -> {}
        }
    }
}
