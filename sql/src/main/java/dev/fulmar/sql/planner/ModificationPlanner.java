package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Drawing;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.procedure.repeat.CopiesScan;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.sql.calcite.CatalogTable;
import dev.fulmar.sql.expression.Conversion;
import dev.fulmar.sql.expression.ExpressionConverter;
import dev.fulmar.sql.expression.Expressions;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/** Plans INSERT, UPSERT, UPDATE and DELETE: one fragment that changes rows where they are. */
final class ModificationPlanner {
    private final ExpressionConverter converter;
    private final Catalog catalog;

    ModificationPlanner(ExpressionConverter converter, Catalog catalog) {
        this.converter = converter;
        this.catalog = catalog;
    }

    StatementPlan.Fragment plan(TableModify modify, ConflictAction onConflict) {
        CatalogTable known = modify.getTable().unwrap(CatalogTable.class);
        if (known == null) {
            throw Invariants.breach("every table comes from the catalog");
        }
        Table table = known.table();
        return switch (modify.getOperation()) {
            case INSERT -> insert(table, modify.getInput(), onConflict);
            case UPDATE -> update(table, modify);
            case DELETE -> delete(table, modify.getInput());
            case MERGE -> throw Invariants.breach("a MERGE is planned in steps");
        };
    }

    private StatementPlan.Fragment insert(Table table, RelNode source, ConflictAction onConflict) {
        if (onConflict instanceof ConflictAction.Replace && table.primaryKey().isEmpty()) {
            throw SqlErrors.notSupported("UPSERT INTO " + table.name()
                    + " needs a primary key; use INSERT, or CREATE TABLE with PRIMARY KEY");
        }
        Fragments fragments = new Fragments();
        PlannedRelation plannedRelation = source(source, fragments);
        Relation rows = assigned(plannedRelation.relation(), table);
        PartitionScope scope = insertScope(table, rows, plannedRelation, source, onConflict);
        if (scope == null) {
            throw Invariants.breach("rows that leave their partition are inserted in steps");
        }
        Relation complete = RowIds.added(named(rows, table), table);
        return new StatementPlan.Fragment(scope, new Operation.Insert(table.id(), complete, onConflict, List.of()));
    }

    /** The rows of VALUES with several rows say in their errors which they are; one row is named as it is stored. */
    private static Relation named(Relation rows, Table table) {
        if (!(rows instanceof Relation.Values values) || values.rows().size() == 1) {
            return rows;
        }
        List<String> places = IntStream.range(0, rows.columns().size())
                .mapToObj(table::columnText)
                .toList();
        return NamedValues.of(rows, places);
    }

    private PlannedRelation source(RelNode source, Fragments fragments) {
        PlannedRelation asWritten =
                needsRewriting(source) ? null : new RelationPlanner(converter, fragments).plan(source, List.of());
        return asWritten != null
                ? asWritten
                : LogicalRewrite.eitherWay(
                        source, rel -> new RelationPlanner(converter, new Fragments()).plan(rel, List.of()));
    }

    private static boolean needsRewriting(RelNode rel) {
        boolean subquery = rel instanceof Project project
                && project.getProjects().stream().anyMatch(each -> RexUtil.SubQueryFinder.find(each) != null);
        boolean isFiltered = rel instanceof Filter filter && RexUtil.SubQueryFinder.find(filter.getCondition()) != null;
        return subquery
                || isFiltered
                || rel instanceof TableScan
                || rel.getInputs().stream().anyMatch(ModificationPlanner::needsRewriting);
    }

    private static Relation assigned(Relation source, Table table) {
        List<ColumnType> types = JoinInput.types(table);
        if (source instanceof Relation.Values values) {
            List<List<Expression>> rows = new ArrayList<>();
            for (List<Expression> row : values.rows()) {
                rows.add(assigned(row, types));
            }
            return new Relation.Values(types, rows);
        }
        if (source instanceof Relation.Project project) {
            return new Relation.Project(project.input(), assigned(project.expressions(), types));
        }
        return Relations.project(source, assigned(Expressions.references(source.columns()), types));
    }

    private static List<Expression> assigned(List<Expression> values, List<ColumnType> types) {
        List<Expression> row = new ArrayList<>(values.size());
        for (int i = 0; i < values.size(); i++) {
            row.add(Conversion.assign(values.get(i), types.get(i)));
        }
        return row;
    }

    /** Whether the rows that the query yields belong where it finds them, the same at each copy of the table. */
    boolean canInsertInPlace(Table table, RelNode source, ConflictAction onConflict) {
        PlannedRelation plannedRelation = source(source, new Fragments());
        return insertScope(table, assigned(plannedRelation.relation(), table), plannedRelation, source, onConflict)
                != null;
    }

    /** Whether the source is one row of VALUES. */
    boolean isOneRow(RelNode source) {
        return source(source, new Fragments()).relation() instanceof Relation.Values values
                && values.rows().size() == 1;
    }

    /** Null if the rows leave their partition. */
    private @Nullable PartitionScope insertScope(
            Table table, Relation rows, PlannedRelation source, RelNode written, ConflictAction onConflict) {
        if (drawsElsewhere(table, rows)) {
            return null;
        }
        if (table.isReplicated()) {
            boolean isSame = source.distribution() instanceof Distribution.Everywhere
                    && !RowChoice.isArbitrary(written)
                    && CopiesScan.isSame(table, rows, onConflict, catalog);
            return isSame ? new PartitionScope.Replicas() : null;
        }
        int column = table.partitioningColumn().getAsInt();
        if (table.hasRowId()) {
            return rows instanceof Relation.Values ? new PartitionScope.ByRow(column) : null;
        }
        if (rows instanceof Relation.Values values) {
            Expression value =
                    values.rows().size() == 1 ? values.rows().getFirst().get(column) : null;
            boolean isKey = value instanceof Expression.Parameter
                    || (value instanceof Expression.Literal literal && literal.value() != null);
            return value != null && isKey ? new PartitionScope.Keys(List.of(value)) : new PartitionScope.ByRow(column);
        }
        boolean stays = source.distribution() instanceof Distribution.Spread spread
                && (spread.columns().contains(column) || isSameKey(spread, rows, column));
        return stays ? source.distribution().scope() : null;
    }

    /** Whether numbers must be drawn before the row's place is known, or once for all copies of the row. */
    private static boolean drawsElsewhere(Table table, Relation rows) {
        int column = table.partitioningColumn().orElse(-1);
        List<List<Expression>> values = switch (rows) {
            case Relation.Values constants -> constants.rows();
            case Relation.Project project -> List.of(project.expressions());
            default -> List.of();
        };
        for (List<Expression> row : values) {
            for (int i = 0; i < row.size(); i++) {
                boolean isOwn = table.isReplicated()
                        && table.columns().get(i).drawsFrom().isPresent();
                boolean matters = table.isReplicated() ? !isOwn : i == column;
                if (matters && Drawing.happensIn(row.get(i))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isSameKey(Distribution.Spread spread, Relation rows, int column) {
        return spread.isSingle()
                && rows instanceof Relation.Project project
                && project.expressions()
                        .get(column)
                        .equals(Objects.requireNonNull(spread.keys()).getFirst());
    }

    private StatementPlan.Fragment update(Table table, TableModify modify) {
        if (!(modify.getInput() instanceof Project project)) {
            throw Invariants.breach("an UPDATE computes its new values in a projection");
        }
        List<String> columns = Objects.requireNonNull(modify.getUpdateColumnList());
        List<Expression> conditions = conditions(project.getInput());
        List<Operation.Assignment> assignments = new ArrayList<>();
        int first = project.getProjects().size() - columns.size();
        for (int i = 0; i < columns.size(); i++) {
            int column = table.columnIndex(columns.get(i));
            Expression value = converter.convert(project.getProjects().get(first + i));
            assignments.add(new Operation.Assignment(
                    column, Conversion.assign(value, table.columns().get(column).type())));
        }
        return new StatementPlan.Fragment(
                writeScope(table, conditions),
                new Operation.Update(table.id(), target(table.withShownRowId(), conditions), assignments));
    }

    private StatementPlan.Fragment delete(Table table, RelNode input) {
        RelNode rows = input instanceof Project project && !(project.getInput() instanceof Project)
                ? project.getInput()
                : input;
        List<Expression> conditions = conditions(rows);
        return new StatementPlan.Fragment(
                writeScope(table, conditions), new Operation.Delete(table.id(), target(table, conditions)));
    }

    private List<Expression> conditions(RelNode rows) {
        List<Expression> conditions = new ArrayList<>();
        RelNode rest = rows;
        while (rest instanceof Filter filter) {
            RexNode condition = PlainConditions.of(
                    filter.getCondition(), filter.getCluster().getRexBuilder());
            conditions.addAll(Expressions.conjuncts(converter.convert(condition)));
            rest = filter.getInput();
        }
        if (!(rest instanceof TableScan)) {
            throw Invariants.breach("a write with subqueries is planned in steps");
        }
        return conditions;
    }

    private static Relation target(Table table, List<Expression> conditions) {
        return Scans.read(table, conditions, List.of(), null).relation();
    }

    private static PartitionScope writeScope(Table table, List<Expression> conditions) {
        return table.isReplicated()
                ? new PartitionScope.Replicas()
                : Scans.distribution(table, conditions).scope();
    }
}
