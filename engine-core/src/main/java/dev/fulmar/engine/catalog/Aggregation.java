package dev.fulmar.engine.catalog;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.data.ColumnType;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a materialized view keeps of the rows of one table, and how it is read. It has a row for each group; its columns are those that make groups, then, if one of
 * them can be null, the key of those, then a column for each measure, of which the first counts the group's rows.
 *
 * <p>Invariant: what the view holds on a partition follows from the rows of its source there and from nothing else, neither their order nor their history. So the
 * same rows give the same view in every copy, whether they were written by commands or by values.
 *
 * @param source name of the table
 * @param text of the query, as its author wrote it
 * @param groups the columns that make groups, among them the partitioning column of the source
 * @param isRegrouped whether the last of them, the partitioning column, is none that the query groups by, so that groups are put together when the view is read
 * @param condition over the source's columns by position: which rows count; empty for all
 * @param measures what is kept of each group
 * @param outputs the view's columns as users see them
 */
public record Aggregation(
        String source,
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

    /**
     * A column of the source that makes groups.
     *
     * @param place in the source
     * @param name in the view
     */
    public record Group(int place, String name, boolean nullable) {}

    /** What is kept of a group. */
    public enum Function {
        /** How many rows, or rows with a value, there are. */
        COUNT,
        /** The sum of the values, 0 if there is none. */
        SUM,
        MIN,
        MAX
    }

    /**
     * A value kept of each group.
     *
     * @param argument over the source's columns by position; empty to count rows
     * @param type of the view's column
     */
    public record Measure(Function function, Optional<Expression> argument, ColumnType type) {
        /** Whether it can only be found anew when a row goes. */
        public boolean isExtreme() {
            return function == Function.MIN || function == Function.MAX;
        }
    }

    /** How a column is read. */
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

    /** Whether the view depends on the source's column. */
    public boolean reads(int column) {
        return groups.stream().anyMatch(group -> group.place() == column)
                || Stream.concat(condition.stream(), measures.stream().flatMap(each -> each.argument().stream()))
                        .anyMatch(expression -> Check.reads(expression, column));
    }
}
