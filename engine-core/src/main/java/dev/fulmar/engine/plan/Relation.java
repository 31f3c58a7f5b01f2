package dev.fulmar.engine.plan;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An operator that yields rows. Tables and indexes are named by their catalog ids. */
public sealed interface Relation {
    /** Types of the output columns. */
    List<ColumnType> columns();

    /** All columns of the table's rows that pass the filter, in no promised order. */
    record TableScan(
            int table, List<ColumnType> columns, @Nullable Expression filter) implements Relation {
        public TableScan {
            columns = List.copyOf(columns);
        }
    }

    /**
     * All columns of the rows in a range of an index; an ORDERED index yields them in key order, or backwards. The
     * expressions of the key refer to no column of this table: only to parameters and literals, and on the right of an
     * {@link IndexJoin} to columns of the left row. A null key value yields no row.
     */
    record IndexScan(
            int table,
            List<ColumnType> columns,
            IndexKey key,
            boolean backwards,
            @Nullable Expression filter) implements Relation {
        public IndexScan {
            columns = List.copyOf(columns);
        }
    }

    /**
     * The entries of an index that are read. On a HASH index all columns are in {@code equal}.
     *
     * @param equal values of the first key columns
     * @param lower bound of the next key column in index order (so of a descending column, the larger value), or none
     */
    record IndexKey(int index, List<Expression> equal, Optional<Bound> lower, Optional<Bound> upper) {
        public IndexKey {
            equal = List.copyOf(equal);
        }
    }

    /** End of a range. */
    record Bound(Expression value, boolean inclusive) {}

    record Filter(Relation input, Expression condition) implements Relation {
        @Override
        public List<ColumnType> columns() {
            return input.columns();
        }
    }

    record Project(Relation input, List<Expression> expressions) implements Relation {
        public Project {
            expressions = List.copyOf(expressions);
        }

        @Override
        public List<ColumnType> columns() {
            return expressions.stream().map(Expression::type).toList();
        }
    }

    /** The treatment of unmatched rows. SEMI and ANTI yield the left columns only; RIGHT is planned as LEFT. */
    enum JoinKind {
        INNER,
        LEFT,
        FULL,
        SEMI,
        ANTI
    }

    /** For each left row, the matching right rows; the right side is run once and kept. */
    record NestedLoopJoin(
            Relation left,
            Relation right,
            JoinKind kind,
            @Nullable Expression condition) implements Relation {
        @Override
        public List<ColumnType> columns() {
            return joinColumns(left, right, kind);
        }
    }

    /** For each left row, a look-up in an index of the right table. The condition sees left and right columns. */
    record IndexJoin(
            Relation left,
            IndexScan right,
            JoinKind kind,
            @Nullable Expression condition) implements Relation {
        @Override
        public List<ColumnType> columns() {
            return joinColumns(left, right, kind);
        }
    }

    /** Equality of {@code leftKeys} over the left row and {@code rightKeys} over the right row; nulls match nothing. */
    record HashJoin(
            Relation left,
            Relation right,
            JoinKind kind,
            List<Expression> leftKeys,
            List<Expression> rightKeys,
            @Nullable Expression condition)
            implements Relation {
        public HashJoin {
            leftKeys = List.copyOf(leftKeys);
            rightKeys = List.copyOf(rightKeys);
        }

        @Override
        public List<ColumnType> columns() {
            return joinColumns(left, right, kind);
        }
    }

    /**
     * For each left row the right side, run anew, whose expressions may read that row as
     * {@link Expression.OuterReference}s. Not FULL.
     *
     * @param row what those references call the left row; one Apply of a statement has the number
     */
    record Apply(Relation left, Relation right, JoinKind kind, int row) implements Relation {
        @Override
        public List<ColumnType> columns() {
            return joinColumns(left, right, kind);
        }
    }

    /** One row per group of equal keys (nulls are equal): keys, then aggregates. Without keys, exactly one row. */
    record Aggregate(Relation input, List<Expression> keys, List<AggregateCall> calls) implements Relation {
        public Aggregate {
            keys = List.copyOf(keys);
            calls = List.copyOf(calls);
            keys.forEach(KeyRules::check);
        }

        @Override
        public List<ColumnType> columns() {
            return java.util.stream.Stream.concat(
                            keys.stream().map(Expression::type), calls.stream().map(AggregateCall::type))
                    .toList();
        }
    }

    /**
     * An aggregate.
     *
     * @param argument null for COUNT(*)
     * @param distinct of equal arguments, all of them together, one counts
     * @param filter rows that count, or null for all
     * @param further what the function takes beside the argument
     */
    record AggregateCall(
            AggregateFunction function,
            @Nullable Expression argument,
            boolean distinct,
            @Nullable Expression filter,
            ColumnType type,
            Further further) {
        public AggregateCall {
            KeyRules.check(function, argument, distinct);
        }

        public AggregateCall(
                AggregateFunction function,
                @Nullable Expression argument,
                boolean distinct,
                @Nullable Expression filter,
                ColumnType type) {
            this(function, argument, distinct, filter, type, Further.NONE);
        }

        /** The expressions that it reads. */
        public List<Expression> read() {
            List<Expression> read = new ArrayList<>();
            if (argument != null) {
                read.add(argument);
            }
            read.addAll(further.arguments);
            further.order.forEach(key -> read.add(key.value()));
            if (filter != null) {
                read.add(filter);
            }
            return read;
        }

        /** The same call of other expressions. */
        public AggregateCall mapped(UnaryOperator<Expression> change) {
            return new AggregateCall(
                    function,
                    argument == null ? null : change.apply(argument),
                    distinct,
                    filter == null ? null : change.apply(filter),
                    type,
                    further.mapped(change));
        }
    }

    /**
     * Arguments and an order that a few aggregates take.
     *
     * @param arguments behind the first: a separator, a fraction, the other of a pair, {@code Folding} and others
     * @param order in which the values of a {@link AggregateFunction.Family#LIST list} are taken
     */
    record Further(List<Expression> arguments, List<SortKey> order, Step step) {
        public static final Further NONE = new Further(List.of(), List.of(), Step.WHOLE);

        public Further {
            arguments = List.copyOf(arguments);
            order = List.copyOf(order);
        }

        Further mapped(UnaryOperator<Expression> change) {
            return new Further(
                    arguments.stream().map(change).toList(),
                    order.stream()
                            .map(key -> new SortKey(change.apply(key.value()), key.descending(), key.nullsFirst()))
                            .toList(),
                    step);
        }
    }

    /** The part of an aggregate that a call computes. */
    enum Step {
        /** From the values to the result. */
        WHOLE,
        /** From the values to bytes that tell of them. */
        PARTIAL,
        /** From such bytes, of several partitions, to the result. */
        TOTAL
    }

    /** Aggregates; they skip nulls. Those of nothing are null, but for the ones that count. */
    enum AggregateFunction {
        COUNT(Family.PLAIN),
        SUM(Family.PLAIN),
        MIN(Family.PLAIN),
        MAX(Family.PLAIN),
        AVG(Family.PLAIN),
        /** The value if there is exactly one row, null if none, an error otherwise: a scalar subquery. */
        SINGLE_VALUE(Family.PLAIN),
        BIT_AND(Family.BITS),
        BIT_OR(Family.BITS),
        BIT_XOR(Family.BITS),
        VAR_POP(Family.SPREAD),
        VAR_SAMP(Family.SPREAD),
        STDDEV_POP(Family.SPREAD),
        STDDEV_SAMP(Family.SPREAD),
        COVAR_POP(Family.PAIRS),
        COVAR_SAMP(Family.PAIRS),
        CORR(Family.PAIRS),
        REGR_AVGX(Family.PAIRS),
        REGR_AVGY(Family.PAIRS),
        REGR_SXX(Family.PAIRS),
        REGR_SYY(Family.PAIRS),
        REGR_SXY(Family.PAIRS),
        REGR_SLOPE(Family.PAIRS),
        REGR_INTERCEPT(Family.PAIRS),
        REGR_R2(Family.PAIRS),
        /** Of equal rows the order does not matter: they are ordered by the text and the separator at the end. */
        STRING_AGG(Family.LIST),
        /** The most frequent value, of several the first one. */
        MODE(Family.LIST),
        PERCENTILE_CONT(Family.LIST),
        PERCENTILE_DISC(Family.LIST),
        USER_DEFINED(Family.LIST);

        /** Functions that are computed alike. */
        public enum Family {
            PLAIN,
            BITS,
            /** Of the numbers' count, sum and squares. */
            SPREAD,
            /** Of pairs of DOUBLEs. */
            PAIRS,
            /** All values must be there before there is a result. */
            LIST
        }

        private final Family family;

        AggregateFunction(Family family) {
            this.family = family;
        }

        public Family family() {
            return family;
        }
    }

    /**
     * The input's columns and a value of each call, computed over rows near the row.
     *
     * @param partitions rows of equal values belong together; the input has them one after the other
     * @param order in which the input has the rows of a partition; rows with equal keys are peers
     */
    record Window(Relation input, List<Expression> partitions, List<SortKey> order, List<WindowCall> calls)
            implements Relation {
        public Window {
            partitions = List.copyOf(partitions);
            order = List.copyOf(order);
            calls = List.copyOf(calls);
        }

        @Override
        public List<ColumnType> columns() {
            return java.util.stream.Stream.concat(
                            input.columns().stream(), calls.stream().map(WindowCall::type))
                    .toList();
        }
    }

    /** A function over a window. */
    sealed interface WindowCall {
        ColumnType type();
    }

    /**
     * The row's place in its partition: a BIGINT, of PERCENT_RANK and CUME_DIST a DOUBLE.
     *
     * @param groups of NTILE; 0 of any other
     */
    record WindowRank(Ranking ranking, long groups, ColumnType type) implements WindowCall {}

    /**
     * A value of another row of the partition.
     *
     * @param distance of an OFFSET the rows from the current one, before it if negative; of NTH the row's place in the
     *     frame, from 1
     * @param ignoresNulls rows where the value is null are as if they were not there
     * @param otherwise the value, over the current row, where there is no such row; null for null
     */
    record WindowValue(
            RowChoice choice,
            Expression value,
            long distance,
            boolean ignoresNulls,
            @Nullable Expression otherwise,
            WindowFrame frame,
            ColumnType type)
            implements WindowCall {}

    /** Ways to choose a row. */
    enum RowChoice {
        /** By its distance in the partition. */
        OFFSET,
        /** The first of the frame. */
        FIRST,
        /** The last of the frame. */
        LAST,
        /** One of the frame by its number. */
        NTH
    }

    /** An aggregate of the frame's rows. */
    record WindowAggregate(AggregateCall call, WindowFrame frame) implements WindowCall {
        @Override
        public ColumnType type() {
            return call.type();
        }
    }

    /** Ways to number rows. */
    enum Ranking {
        ROW_NUMBER,
        RANK,
        DENSE_RANK,
        /** Number of the row's group, of a given number of groups of about equal size. */
        NTILE,
        /** Share of the other rows that are before the row's peers. */
        PERCENT_RANK,
        /** Share of the rows that are before the row or its peers. */
        CUME_DIST
    }

    /**
     * The rows around the current one that count; both ends belong to them.
     *
     * @param peers ends at the current row mean its first or last peer, and distances count groups of peers
     * @param exclusion which of them do not count after all
     * @param key the only value that the rows are ordered by, if an end has a limit of it; of the limits' type
     */
    record WindowFrame(
            boolean peers,
            FrameEnd start,
            FrameEnd end,
            Exclusion exclusion,
            @Nullable SortKey key) {
        public WindowFrame(boolean peers, FrameEnd start, FrameEnd end, Exclusion exclusion) {
            this(peers, start, end, exclusion, null);
        }

        /** Whether an end is at a distance in groups of peers. */
        public boolean countsGroups() {
            return peers && (start.counts() || end.counts());
        }

        /** The expressions that it reads. */
        public List<Expression> read() {
            List<Expression> read = new ArrayList<>();
            if (key != null) {
                read.add(key.value());
            }
            if (start.limit != null) {
                read.add(start.limit);
            }
            if (end.limit != null) {
                read.add(end.limit);
            }
            return read;
        }

        /** The same frame over other columns. */
        public WindowFrame mapped(UnaryOperator<Expression> change) {
            return new WindowFrame(
                    peers,
                    start.mapped(change),
                    end.mapped(change),
                    exclusion,
                    key == null ? null : new SortKey(change.apply(key.value()), key.descending(), key.nullsFirst()));
        }
    }

    /** The rows between its ends that a frame leaves out. */
    enum Exclusion {
        NONE,
        CURRENT_ROW,
        /** The current row and its peers. */
        GROUP,
        /** The peers of the current row, which itself stays. */
        TIES
    }

    /**
     * An end of a frame.
     *
     * @param unbounded it is the partition's first row, as a start, or its last
     * @param distance rows, or groups of peers, from the current one, before it if negative
     * @param limit the value, over the current row, up to which rows count by their key; null if the distance counts
     */
    record FrameEnd(
            boolean unbounded, long distance, @Nullable Expression limit) {
        public FrameEnd(boolean unbounded, long distance) {
            this(unbounded, distance, null);
        }

        private boolean counts() {
            return !unbounded && limit == null && distance != 0;
        }

        FrameEnd mapped(UnaryOperator<Expression> change) {
            return limit == null ? this : new FrameEnd(unbounded, distance, change.apply(limit));
        }
    }

    record Sort(Relation input, List<SortKey> keys) implements Relation {
        public Sort {
            keys = List.copyOf(keys);
        }

        @Override
        public List<ColumnType> columns() {
            return input.columns();
        }
    }

    /** A sort key. */
    record SortKey(Expression value, boolean descending, boolean nullsFirst) {
        public SortKey {
            KeyRules.check(value);
        }
    }

    /** Skips and stops; the two see no column. */
    record Limit(
            Relation input,
            @Nullable Expression offset,
            @Nullable Expression fetch) implements Relation {
        @Override
        public List<ColumnType> columns() {
            return input.columns();
        }
    }

    /** All rows of all inputs. */
    record UnionAll(List<Relation> inputs) implements Relation {
        public UnionAll {
            inputs = List.copyOf(inputs);
        }

        @Override
        public List<ColumnType> columns() {
            return inputs.getFirst().columns();
        }
    }

    /**
     * The seed's rows, then again and again those of the step, until a round yields none. The step reads the rows of
     * the round before as {@link WorkingRows}.
     *
     * @param distinct a row that was there before does not count
     * @param rows what the step calls the rows of the round before; one Recursion of a statement has the number
     */
    record Recursion(Relation seed, Relation step, boolean distinct, int rows) implements Relation {
        @Override
        public List<ColumnType> columns() {
            return seed.columns();
        }
    }

    /** In the step of a {@link Recursion}, the rows of the round before. */
    record WorkingRows(int rows, List<ColumnType> columns) implements Relation {
        public WorkingRows {
            columns = List.copyOf(columns);
        }
    }

    /** The values of functions, side by side, with nulls where one has no more, and the row's number from 1. */
    record FunctionRows(List<RowFunction> functions) implements Relation {
        @Override
        public List<ColumnType> columns() {
            return RowFunction.columns(functions);
        }
    }

    /** Rows of expressions without column references. */
    record Values(List<ColumnType> columns, List<List<Expression>> rows) implements Relation {
        public Values {
            columns = List.copyOf(columns);
            rows = rows.stream().map(List::copyOf).toList();
        }
    }

    /** In the merge part of a distributed statement: all rows that the fragment yielded on all its partitions. */
    record Receive(int fragment, List<ColumnType> columns) implements Relation {
        public Receive {
            columns = List.copyOf(columns);
        }
    }

    /**
     * The input's rows for EXPLAIN ANALYZE, with {@link #FIGURES} that are null. Behind them comes a row for each
     * operator that ran to yield them, of which all but the figures is null. A {@link Receive} in the input receives
     * fragments that are measured too, and takes their rows without the figures.
     *
     * @param part what the figures call the input; one Measured of a statement has the number
     */
    record Measured(Relation input, int part) implements Relation {
        /**
         * The part, the partition, the operator's place in {@link Operators}, its rows, and its nanoseconds together
         * with what yields rows to it.
         */
        public static final List<ColumnType> FIGURES = Collections.nCopies(5, ColumnType.of(TypeKind.BIGINT));

        @Override
        public List<ColumnType> columns() {
            return withFigures(input.columns());
        }

        /** The columns, and those of the figures. */
        public static List<ColumnType> withFigures(List<ColumnType> columns) {
            return java.util.stream.Stream.concat(columns.stream(), FIGURES.stream())
                    .toList();
        }
    }

    /** For EXPLAIN ANALYZE: the lines, one a row, with what the {@link Measured#FIGURES} of the input say of them. */
    record Annotated(Relation input, List<Line> lines) implements Relation {
        private static final List<ColumnType> TEXT = List.of(ColumnType.varchar(1 << 16));

        public Annotated {
            lines = List.copyOf(lines);
        }

        @Override
        public List<ColumnType> columns() {
            return TEXT;
        }
    }

    /** A line of an explanation; its part is that of the operator that it shows, and negative for none. */
    record Line(String text, int part, int operator) {}

    private static List<ColumnType> joinColumns(Relation left, Relation right, JoinKind kind) {
        boolean isLeftAlone = kind == JoinKind.SEMI || kind == JoinKind.ANTI;
        return isLeftAlone ? left.columns() : new JoinedTypes(left.columns(), right.columns());
    }
}
