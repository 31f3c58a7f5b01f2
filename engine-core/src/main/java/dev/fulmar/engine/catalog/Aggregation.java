package dev.fulmar.engine.catalog;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.data.ColumnType;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The definition of a materialized view: which values it keeps of the rows of one table, or of the row pairs of a join.
 * The view has a row for each group. Its columns are those that make groups, then, if one of them can be null, the key
 * of those, then a column for each measure, of which the first counts the group's rows or pairs.
 *
 * <p>Invariant: what the view holds on a partition follows from the rows of its sources there and from nothing else,
 * neither their order nor their history. So the same rows give the same view in every copy, whether they were written
 * by commands or by values. For the two rows of a pair are always on one partition: both tables are partitioned by
 * columns that the join holds equal, or one of them is replicated.
 *
 * <p>Columns have places: those of the source come first, then, from {@link Join#offset} on, those of the table that it
 * is joined with.
 *
 * @param source name of the table; of a join the first of the two
 * @param join the other table, if there is one
 * @param text of the query, as its author wrote it
 * @param groups the columns that make groups, among them a partitioning column of the sources if one is partitioned
 * @param isRegrouped whether the last of them, the partitioning column, is none that the query groups by, so that
 *     groups are put together when the view is read
 * @param condition over columns by place: which rows or pairs count; empty for all
 * @param measures what is kept of each group
 * @param outputs the view's columns as users see them
 */
public record Aggregation(
        String source,
        Optional<Join> join,
        String text,
        List<Group> groups,
        boolean isRegrouped,
        Optional<Expression> condition,
        List<Measure> measures,
        List<Output> outputs) {
    public Aggregation {
        groups = List.copyOf(groups);
        measures = List.copyOf(measures);
        outputs = List.copyOf(outputs);
    }

    /** The definition over one table. */
    public Aggregation(
            String source,
            String text,
            List<Group> groups,
            boolean isRegrouped,
            Optional<Expression> condition,
            List<Measure> measures,
            List<Output> outputs) {
        this(source, Optional.empty(), text, groups, isRegrouped, condition, measures, outputs);
    }

    /**
     * The other table of a view that joins two; the source has number 0, this one 1.
     *
     * @param source its name
     * @param offset place of its first column, which stays when the other table gets columns or loses some that the
     *     view does not read
     * @param equal columns that are equal in the two rows of a pair, at least one pair of them; the condition says so
     *     too
     * @param searched number of the table that is searched when a least or greatest value must be found anew
     */
    public record Join(String source, int offset, List<Equal> equal, int searched) {
        public Join {
            equal = List.copyOf(equal);
        }
    }

    /** A column of each of two joined tables, by its position there. */
    public record Equal(int first, int second) {
        /** The column of the table with the number. */
        public int of(int number) {
            return number == 0 ? first : second;
        }
    }

    /**
     * A column of a source that makes groups.
     *
     * @param place of the column
     * @param name in the view
     */
    public record Group(int place, String name, boolean nullable) {}

    /** The aggregate function of a measure. */
    public enum Function {
        /** The number of rows, or of rows with a value. */
        COUNT,
        /** The sum of the values, 0 if there is none. */
        SUM,
        MIN,
        MAX
    }

    /**
     * A value kept of each group.
     *
     * @param argument over columns by place; empty to count rows
     * @param type of the view's column
     */
    public record Measure(Function function, Optional<Expression> argument, ColumnType type) {
        /** Whether it can only be found anew when a row goes. */
        public boolean isExtreme() {
            return function == Function.MIN || function == Function.MAX;
        }
    }

    /** The way in which a column is read. */
    public enum Reading {
        GROUP,
        COUNT,
        SUM,
        AVERAGE,
        MIN,
        MAX
    }

    /**
     * A column of the view as users see it.
     *
     * @param place the group's or measure's number
     * @param count of a sum or an average the number of the measure that counts its values, else 0
     */
    public record Output(String name, ColumnType type, boolean nullable, Reading reading, int place, int count) {}

    /** Whether a column holds the key of the columns that can be null. */
    public boolean isKeyed() {
        return groups.stream().anyMatch(Group::nullable);
    }

    /** Position of the column of the key of what can be null, if there is one. */
    public int keyColumn() {
        return groups.size();
    }

    /** Position of the measure's column in the view. */
    public int column(int measure) {
        return groups.size() + (isKeyed() ? 1 : 0) + measure;
    }

    /** Whether rows that go may take the least or greatest value with them. */
    public boolean hasExtremes() {
        return measures.stream().anyMatch(Measure::isExtreme);
    }

    /** The number of tables that it is made from. */
    public int sourceCount() {
        return join.isPresent() ? 2 : 1;
    }

    /** Name of the source with the number. */
    public String source(int number) {
        return number == 0 ? source : join.orElseThrow().source();
    }

    /** Number of the source of that name, -1 if it is none. */
    public int number(String table) {
        if (source.equals(table)) {
            return 0;
        }
        return join.isPresent() && join.get().source().equals(table) ? 1 : -1;
    }

    /** Number of the source that has the column at the place. */
    public int sourceOf(int place) {
        return join.isPresent() && place >= join.get().offset() ? 1 : 0;
    }

    /** Position of the column at the place in its source. */
    public int columnOf(int place) {
        return sourceOf(place) == 0 ? place : place - join.orElseThrow().offset();
    }

    /** Whether the view depends on the column of the source with the number. */
    public boolean reads(int number, int column) {
        int place = number == 0 ? column : join.orElseThrow().offset() + column;
        return sourceOf(place) == number
                && (groups.stream().anyMatch(group -> group.place() == place)
                        || Stream.concat(
                                        condition.stream(), measures.stream().flatMap(each -> each.argument().stream()))
                                .anyMatch(expression -> Check.reads(expression, place)));
    }

    /** Columns of the source with the number that are equal to some of the other's. */
    public List<Integer> joinColumns(int number) {
        return join.stream()
                .flatMap(joined -> joined.equal().stream())
                .map(equal -> equal.of(number))
                .distinct()
                .toList();
    }

    /** Number of the source that is searched when a least or greatest value must be found anew. */
    public int searched() {
        return join.map(Join::searched).orElse(0);
    }

    /**
     * The column of the source that is searched which has the group's value: its own or one that is equal; empty if it
     * has none.
     */
    public OptionalInt searchedColumn(Group group) {
        int number = sourceOf(group.place());
        int column = columnOf(group.place());
        if (number == searched()) {
            return OptionalInt.of(column);
        }
        return join.orElseThrow().equal().stream()
                .filter(equal -> equal.of(number) == column)
                .mapToInt(equal -> equal.of(searched()))
                .findFirst();
    }

    /** The columns of the source that is searched by which rows of a group are found there. */
    public List<Integer> searchedColumns() {
        return groups.stream()
                .map(this::searchedColumn)
                .flatMapToInt(OptionalInt::stream)
                .distinct()
                .boxed()
                .toList();
    }
}
