package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.expression.Expressions;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Plans a materialized view: derives its definition from the plan of its query. */
public final class AggregationPlanner {
    private static final Aggregation.Measure ROWS =
            new Aggregation.Measure(Aggregation.Function.COUNT, Optional.empty(), Expressions.BIGINT);

    private final List<Table> sources;
    private final List<ResultColumn> columns;
    private final List<Aggregation.Measure> measures = new ArrayList<>(List.of(ROWS));

    private AggregationPlanner(List<Table> sources, List<ResultColumn> columns) {
        this.sources = sources;
        this.columns = columns;
    }

    /**
     * The aggregation that the query is; refused if it is anything else.
     *
     * @param sources the tables that the query reads, one or two
     * @param firstId the id of the first of them in the plan; the other one has the next
     * @param columns of the view, in the query's order
     * @param plan of the query, where the tables have neither indexes nor partitions
     */
    public static Aggregation of(
            String text, List<Table> sources, int firstId, List<ResultColumn> columns, StatementPlan plan) {
        boolean isPlain = plan.fragments().size() == 1 && plan.merge().isEmpty();
        if (!isPlain || !(plan.fragments().getFirst().operation() instanceof Operation.Query(Relation query))) {
            throw shape();
        }
        List<Expression> outputs = query instanceof Relation.Project project
                ? project.expressions()
                : Expressions.references(query.columns());
        Relation rest = query instanceof Relation.Project project ? project.input() : query;
        if (!(rest instanceof Relation.Aggregate aggregate) || aggregate.keys().isEmpty()) {
            throw shape();
        }
        AggregationPlanner planner = new AggregationPlanner(sources, columns);
        return sources.size() == 1
                ? planner.ofTable(text, outputs, aggregate)
                : planner.ofJoin(text, outputs, aggregate, firstId);
    }

    private static FulmarException shape() {
        return SqlErrors.notSupported("a materialized view is SELECT of columns and of COUNT, SUM, MIN, MAX and AVG,"
                + " FROM one table, or two different ones in an inner join, [WHERE ...] GROUP BY columns;"
                + " make a plain view, or one over a materialized view, of anything more");
    }

    /** Groups are told apart by their bytes, and documents or intervals that are equal may have other ones. */
    private static void checkKeys(Relation.Aggregate aggregate) {
        if (aggregate.keys().stream().anyMatch(key -> key.type().kind().hasEqualForms())) {
            throw SqlErrors.notSupported(
                    "a materialized view does not group by documents and intervals; keep what it groups by in a column of its own");
        }
    }

    private Aggregation ofTable(String text, List<Expression> outputs, Relation.Aggregate aggregate) {
        checkKeys(aggregate);
        Relation rows = aggregate.input() instanceof Relation.Filter filter ? filter.input() : aggregate.input();
        if (!(rows instanceof Relation.TableScan scan)) {
            throw shape();
        }
        List<Expression> conditions = new ArrayList<>();
        if (aggregate.input() instanceof Relation.Filter filter) {
            conditions.add(filter.condition());
        }
        if (scan.filter() != null) {
            conditions.add(scan.filter());
        }
        Optional<Expression> condition = Optional.ofNullable(Expressions.and(conditions));
        List<Integer> keys = aggregate.keys().stream().map(this::place).toList();
        List<Aggregation.Output> read = outputs(outputs, aggregate);
        List<Aggregation.Group> groups = groups(keys, read);
        return new Aggregation(
                sources.getFirst().name(), text, groups, groups.size() > keys.size(), condition, measures, read);
    }

    private Aggregation ofJoin(String text, List<Expression> outputs, Relation.Aggregate planned, int firstId) {
        checkKeys(planned);
        JoinedTables rows = JoinedTables.of(planned.input(), sources, firstId).orElseThrow(AggregationPlanner::shape);
        Relation.Aggregate aggregate = new Relation.Aggregate(
                planned.input(),
                planned.keys().stream().map(rows::resolve).toList(),
                planned.calls().stream().map(call -> call.mapped(rows::resolve)).toList());
        int offset = sources.getFirst().columns().size();
        List<Aggregation.Equal> equal = rows.equal(offset);
        checkPlaces(equal);
        List<Integer> keys = aggregate.keys().stream().map(this::place).toList();
        List<Aggregation.Output> read = outputs(outputs, aggregate);
        List<Aggregation.Group> groups = groups(keys, read);
        Aggregation.Join join =
                new Aggregation.Join(sources.get(1).name(), offset, equal, searched(offset, equal, groups));
        return new Aggregation(
                sources.getFirst().name(),
                Optional.of(join),
                text,
                groups,
                groups.size() > keys.size(),
                Optional.ofNullable(Expressions.and(rows.conditions())),
                measures,
                read);
    }

    /** The rows of a pair must be on one partition. */
    private void checkPlaces(List<Aggregation.Equal> equal) {
        if (equal.isEmpty()) {
            throw SqlErrors.notSupported("a materialized view of " + names()
                    + " joins them by columns that are equal, of the same exact type");
        }
        OptionalInt first = sources.getFirst().partitioningColumn();
        OptionalInt second = sources.get(1).partitioningColumn();
        if (first.isPresent()
                && second.isPresent()
                && !equal.contains(new Aggregation.Equal(first.getAsInt(), second.getAsInt()))) {
            throw SqlErrors.notSupported("the rows that a materialized view joins must be on one partition, and "
                    + names() + " are not joined by their partitioning columns, of the same exact type: "
                    + sources.getFirst().name() + "."
                    + sources.getFirst().columns().get(first.getAsInt()).name() + " = "
                    + sources.get(1).name() + "."
                    + sources.get(1).columns().get(second.getAsInt()).name());
        }
    }

    private String names() {
        return sources.getFirst().name() + " and " + sources.get(1).name();
    }

    /**
     * Chooses the table that is searched for the least or greatest value of a group. It has few rows of a group, and if
     * possible the value, so that an index can have it in order. A partitioned table has few, for the partitioning
     * column is always among the groups.
     */
    private int searched(int offset, List<Aggregation.Equal> equal, List<Aggregation.Group> groups) {
        boolean isFirst = isSearchable(0, offset, equal, groups);
        boolean isSecond = isSearchable(1, offset, equal, groups);
        if (!isFirst || !isSecond) {
            return isFirst ? 0 : 1;
        }
        return measures.stream()
                .filter(Aggregation.Measure::isExtreme)
                .findFirst()
                .flatMap(Aggregation.Measure::argument)
                .filter(argument ->
                        argument instanceof Expression.ColumnReference reference && reference.index() >= offset)
                .map(argument -> 1)
                .orElse(0);
    }

    /**
     * Whether rows of the table are found by what they have of a group, their own columns or equal ones of the other
     * table.
     */
    private boolean isSearchable(
            int number, int offset, List<Aggregation.Equal> equal, List<Aggregation.Group> groups) {
        boolean hasFew =
                !sources.get(number).isReplicated() || sources.get(1 - number).isReplicated();
        return hasFew
                && groups.stream().anyMatch(group -> {
                    int owner = group.place() < offset ? 0 : 1;
                    int column = group.place() - owner * offset;
                    return owner == number || equal.stream().anyMatch(each -> each.of(owner) == column);
                });
    }

    private List<Aggregation.Output> outputs(List<Expression> outputs, Relation.Aggregate aggregate) {
        List<Aggregation.Output> read = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++) {
            if (!(outputs.get(i) instanceof Expression.ColumnReference reference)) {
                throw shape();
            }
            read.add(output(columns.get(i), reference.index(), aggregate));
        }
        return read;
    }

    /** The place of the column that makes groups. */
    private int place(Expression key) {
        if (!(key instanceof Expression.ColumnReference reference)) {
            throw SqlErrors.notSupported("a materialized view groups by columns, not by expressions of them");
        }
        if (key.type().storage() == TypeKind.Storage.DOUBLE) {
            throw SqlErrors.notSupported("a materialized view does not group by " + key.type()
                    + " values, which are approximate; use an exact type");
        }
        return reference.index();
    }

    /** The partitioning column is always one of them, so that a group is on one partition. */
    private List<Aggregation.Group> groups(List<Integer> keys, List<Aggregation.Output> outputs) {
        List<Integer> places = new ArrayList<>(keys);
        List<Integer> partitioning = partitioningPlaces();
        if (!partitioning.isEmpty() && partitioning.stream().noneMatch(places::contains)) {
            places.add(partitioning.getFirst());
        }
        List<Aggregation.Group> groups = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < places.size(); i++) {
            int group = i;
            Column column = column(places.get(i));
            String shown = outputs.stream()
                    .filter(output -> output.reading() == Aggregation.Reading.GROUP && output.place() == group)
                    .map(Aggregation.Output::name)
                    .findFirst()
                    .orElse("#" + column.name());
            groups.add(new Aggregation.Group(
                    places.get(i), names.add(shown) ? shown : "#" + i + column.name(), column.nullable()));
        }
        return groups;
    }

    /** Places of the columns that tell the partition of a row or pair, which are equal. */
    private List<Integer> partitioningPlaces() {
        List<Integer> places = new ArrayList<>();
        int offset = 0;
        for (Table source : sources) {
            if (source.partitioningColumn().isPresent()) {
                places.add(offset + source.partitioningColumn().getAsInt());
            }
            offset += source.columns().size();
        }
        return places;
    }

    private Column column(int place) {
        int first = sources.getFirst().columns().size();
        return place < first
                ? sources.getFirst().columns().get(place)
                : sources.get(1).columns().get(place - first);
    }

    private Aggregation.Output output(ResultColumn column, int place, Relation.Aggregate aggregate) {
        if (place < aggregate.keys().size()) {
            return output(column, Aggregation.Reading.GROUP, place, 0);
        }
        Relation.AggregateCall call =
                aggregate.calls().get(place - aggregate.keys().size());
        Expression argument = call.argument();
        if (call.distinct() || call.filter() != null) {
            throw SqlErrors.notSupported(
                    "a materialized view keeps no DISTINCT or FILTER aggregates; a WHERE is for all its columns");
        }
        if (call.function() == AggregateFunction.COUNT) {
            return output(column, Aggregation.Reading.COUNT, argument == null ? 0 : count(argument), 0);
        }
        if (argument == null) {
            throw shape();
        }
        return switch (call.function()) {
            case MIN ->
                output(column, Aggregation.Reading.MIN, extreme(Aggregation.Function.MIN, argument, call.type()), 0);
            case MAX ->
                output(column, Aggregation.Reading.MAX, extreme(Aggregation.Function.MAX, argument, call.type()), 0);
            case SUM -> output(column, Aggregation.Reading.SUM, sum(argument), count(argument));
            case AVG -> output(column, Aggregation.Reading.AVERAGE, sum(argument), count(argument));
            default -> throw shape();
        };
    }

    private static Aggregation.Output output(ResultColumn column, Aggregation.Reading reading, int place, int count) {
        return new Aggregation.Output(column.name(), column.type(), column.nullable(), reading, place, count);
    }

    private int count(Expression argument) {
        return argument.nullable()
                ? measure(
                        new Aggregation.Measure(Aggregation.Function.COUNT, Optional.of(argument), Expressions.BIGINT))
                : 0;
    }

    private int extreme(Aggregation.Function function, Expression argument, ColumnType type) {
        if (type.kind().hasEqualForms()) {
            throw SqlErrors.notSupported(
                    "a materialized view keeps no MIN and MAX of " + type + " values; keep their seconds in a BIGINT");
        }
        return measure(new Aggregation.Measure(function, Optional.of(argument), type));
    }

    private int sum(Expression argument) {
        ColumnType type = argument.type();
        if (!type.kind().isInteger() && type.kind() != TypeKind.DECIMAL) {
            throw SqlErrors.notSupported("a materialized view keeps no sums of " + type
                    + " values: what is added could not be taken away exactly; use DECIMAL");
        }
        return measure(new Aggregation.Measure(
                Aggregation.Function.SUM,
                Optional.of(argument),
                ColumnType.decimal(ColumnType.MAX_DECIMAL_DIGITS, type.scale())));
    }

    private int measure(Aggregation.Measure measure) {
        measure.argument().ifPresent(AggregationPlanner::check);
        int known = measures.indexOf(measure);
        if (known >= 0) {
            return known;
        }
        measures.add(measure);
        return measures.size() - 1;
    }

    private static void check(Expression argument) {
        if (argument instanceof Expression.Literal literal && literal.value() == null) {
            throw SqlErrors.notSupported("an aggregate of NULL says nothing; leave it out");
        }
    }
}
