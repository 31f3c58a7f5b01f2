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
import java.util.Set;

/** What a materialized view keeps, from the plan of its query. */
public final class AggregationPlanner {
    private static final Aggregation.Measure ROWS =
            new Aggregation.Measure(Aggregation.Function.COUNT, Optional.empty(), Expressions.BIGINT);

    private final Table source;
    private final List<ResultColumn> columns;
    private final List<Aggregation.Measure> measures = new ArrayList<>(List.of(ROWS));

    private AggregationPlanner(Table source, List<ResultColumn> columns) {
        this.source = source;
        this.columns = columns;
    }

    /**
     * The aggregation that the query is; refused if it is anything else.
     *
     * @param source the table that the query reads
     * @param columns of the view, in the query's order
     * @param plan of the query, where the table has neither indexes nor partitions
     */
    public static Aggregation of(String text, Table source, List<ResultColumn> columns, StatementPlan plan) {
        boolean isPlain = plan.fragments().size() == 1 && plan.merge().isEmpty();
        if (!isPlain || !(plan.fragments().getFirst().operation() instanceof Operation.Query(Relation relation))) {
            throw shape();
        }
        return new AggregationPlanner(source, columns).of(text, relation);
    }

    private static FulmarException shape() {
        return SqlErrors.notSupported(
                "a materialized view is SELECT of columns and of COUNT, SUM, MIN, MAX and AVG,"
                        + " FROM one table, [WHERE ...] GROUP BY columns; make a plain view, or one over a materialized view, of anything more");
    }

    private Aggregation of(String text, Relation query) {
        List<Expression> outputs = query instanceof Relation.Project project
                ? project.expressions()
                : Expressions.references(query.columns());
        Relation rest = query instanceof Relation.Project project ? project.input() : query;
        if (!(rest instanceof Relation.Aggregate aggregate)) {
            throw shape();
        }
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
        if (keys.isEmpty()) {
            throw shape();
        }
        List<Aggregation.Output> read = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++) {
            if (!(outputs.get(i) instanceof Expression.ColumnReference reference)) {
                throw shape();
            }
            read.add(output(columns.get(i), reference.index(), aggregate));
        }
        List<Aggregation.Group> groups = groups(keys, read);
        return new Aggregation(source.name(), text, groups, groups.size() > keys.size(), condition, measures, read);
    }

    /** The column of the source that makes groups. */
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
        source.partitioningColumn().ifPresent(column -> {
            if (!places.contains(column)) {
                places.add(column);
            }
        });
        List<Aggregation.Group> groups = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < places.size(); i++) {
            int group = i;
            Column column = source.columns().get(places.get(i));
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
            case COUNT, SINGLE_VALUE -> throw shape();
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
