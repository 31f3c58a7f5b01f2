package dev.fulmar.engine.plan;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Changes a statement that draws numbers of sequences to one that is given them, as further parameters. That needs to
 * be known before it runs how many it draws: those of constant rows. The last numbers of a client's connection are
 * given too.
 */
public final class GivenNumbers {
    private static final ColumnType NUMBER = ColumnType.of(TypeKind.BIGINT);

    /**
     * A number that a statement is given.
     *
     * @param sequence its id; 0 for the last number of any, and for the id of a row
     */
    public record Number(Kind kind, int sequence) {}

    /** The number's origin. */
    public enum Kind {
        /** Drawn at the partition where it is asked for. */
        NEXT,
        /** The same, of those that an INTEGER can have. */
        NEXT_INTEGER,
        /** Drawn from a dense sequence. */
        NEXT_DENSE,
        /** The last one of the sequence on the client's connection. */
        CURRENT,
        /** The last one of any sequence on the client's connection. */
        LAST,
        /** The id of a new row of a table that is spread by row ids. */
        ROW,
        /** 64 random bits. */
        RANDOM;

        /** Whether no partition can run a statement that is to use such a number, without being given it. */
        public boolean isOnlyGiven() {
            return this != NEXT && this != NEXT_INTEGER && this != ROW;
        }

        /** Whether a statement that is given it runs on fewer partitions. */
        public boolean isBetterGiven() {
            return this == ROW;
        }

        /** Whether a transaction draws it from a sequence. */
        public boolean isDrawn() {
            return this == NEXT || this == NEXT_INTEGER || this == NEXT_DENSE;
        }

        /** Whether the client's connection knows it. */
        public boolean isRemembered() {
            return this == CURRENT || this == LAST;
        }
    }

    private final List<Number> numbers = new ArrayList<>();
    private final int firstParameter;
    private final IntPredicate isDense;
    private final boolean ofRowsOnly;

    /** The parameters of the random numbers of a row, by their places; a row may say one of them twice. */
    private final Map<Long, Integer> randomParameters = new TreeMap<>();

    private GivenNumbers(int firstParameter, IntPredicate isDense) {
        this(firstParameter, isDense, false);
    }

    private GivenNumbers(int firstParameter, IntPredicate isDense, boolean ofRowsOnly) {
        this.firstParameter = firstParameter;
        this.isDense = isDense;
        this.ofRowsOnly = ofRowsOnly;
    }

    /**
     * The numbers that the statement can be given, in their order. Empty if it draws none, or as many as there are
     * rows, or more than a statement has parameters, or draws them for rows that each partition has.
     *
     * @param isDense whether the sequence of the id is dense
     * @throws FulmarException {@link ErrorCode#NOT_SUPPORTED} if it cannot be given them, and can only run with them
     */
    public static List<Number> of(StatementPlan plan, IntPredicate isDense) {
        List<Integer> numbered = RowNumbers.sequences(plan);
        boolean isRandom = RandomNumbers.areIn(plan);
        if (isRandom && (!numbered.isEmpty() || areOfRows(plan, isDense))) {
            return ofRandomRows(plan, isDense);
        }
        if (!numbered.isEmpty()) {
            return numbered.stream()
                    .map(sequence -> new Number(Kind.NEXT_DENSE, sequence))
                    .toList();
        }
        GivenNumbers found = new GivenNumbers(plan.parameters().size(), isDense);
        boolean isKnown = found.in(plan) != null
                && plan.parameters().size() + found.numbers.size() <= ParameterWriter.MAX_PARAMETERS;
        if (!isKnown && needs(plan, isDense)) {
            throw tooMany();
        }
        return isKnown ? List.copyOf(found.numbers) : List.of();
    }

    /** The numbers of constant rows, and the seeds of the random numbers of rows that the statement finds. */
    private static List<Number> ofRandomRows(StatementPlan plan, IntPredicate isDense) {
        GivenNumbers ofConstants = new GivenNumbers(plan.parameters().size(), isDense);
        StatementPlan rest = ofConstants.withConstants(plan);
        boolean draws = Drawing.happensIn(rest, call -> {
            Number number = number(call, isDense);
            return number != null && number.kind() != Kind.RANDOM;
        });
        if (draws || !RowNumbers.sequences(plan).isEmpty()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "a statement that reads rows has random numbers, or numbers of sequences, but not both; insert the"
                            + " rows first, and UPDATE one of the columns then");
        }
        List<Number> all = new ArrayList<>(ofConstants.numbers);
        all.addAll(Collections.nCopies(RandomNumbers.ofRows(rest).size(), new Number(Kind.RANDOM, 0)));
        if (plan.parameters().size() + all.size() > ParameterWriter.MAX_PARAMETERS) {
            throw tooMany();
        }
        return List.copyOf(all);
    }

    /** The plan with numbers in its constant rows; the same if these cannot be given them. */
    private StatementPlan withConstants(StatementPlan plan) {
        StatementPlan given = RowNumbers.sequences(plan).isEmpty() ? in(plan) : null;
        if (given == null) {
            numbers.clear();
            return plan;
        }
        return given;
    }

    private static FulmarException tooMany() {
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED,
                "random numbers, numbers of a sequence with CACHE, currval and lastval are for the rows of INSERT ... VALUES, and for"
                        + " SELECT and VALUES without FROM, with at most " + ParameterWriter.MAX_PARAMETERS
                        + " parameters and numbers; draw the numbers first, or insert fewer rows at once");
    }

    /** Whether random numbers stand elsewhere than in constant rows. */
    private static boolean areOfRows(StatementPlan plan, IntPredicate isDense) {
        StatementPlan given = new GivenNumbers(plan.parameters().size(), isDense).in(plan);
        return given == null || RandomNumbers.areIn(given);
    }

    /** Whether the statement can only run where it is given numbers. */
    public static boolean needs(StatementPlan plan, IntPredicate isDense) {
        return !RowNumbers.sequences(plan).isEmpty()
                || RandomNumbers.areIn(plan)
                || Drawing.happensIn(plan, call -> {
                    Number number = number(call, isDense);
                    return number != null && number.kind().isOnlyGiven();
                });
    }

    /** Whether it draws numbers of dense sequences, and is not known how many. */
    public static boolean needsAsMany(StatementPlan plan, IntPredicate isDense) {
        boolean isDrawn = Drawing.happensIn(plan, call -> {
            Number number = number(call, isDense);
            return number != null && number.kind() == Kind.NEXT_DENSE;
        });
        return isDrawn && new GivenNumbers(plan.parameters().size(), isDense).in(plan) == null;
    }

    /**
     * The same statement with a parameter more for each of {@link #of}; or with those of {@link RowNumbers}.
     *
     * @param further how many parameters more there are
     */
    public static StatementPlan given(StatementPlan plan, IntPredicate isDense, int further) {
        if (RandomNumbers.areIn(plan) && areOfRows(plan, isDense)) {
            StatementPlan rest = new GivenNumbers(plan.parameters().size(), isDense).withConstants(plan);
            return RandomNumbers.withSeeds(rest, RandomNumbers.ofRows(rest));
        }
        if (!RowNumbers.sequences(plan).isEmpty()) {
            return RowNumbers.given(plan, further);
        }
        StatementPlan changed = new GivenNumbers(plan.parameters().size(), isDense).in(plan);
        return changed == null ? plan : changed;
    }

    /** The same statement with a parameter more for the id of each new row of a table that is spread by row ids. */
    public static StatementPlan withRowIds(StatementPlan plan) {
        StatementPlan changed = new GivenNumbers(plan.parameters().size(), id -> false, true).in(plan);
        return changed == null ? plan : changed;
    }

    private @Nullable Number number(Expression.Call call) {
        Number number = number(call, isDense);
        return number != null && ofRowsOnly && number.kind() != Kind.ROW ? null : number;
    }

    /** Null for a call of another function. */
    private static @Nullable Number number(Expression.Call call, IntPredicate isDense) {
        return switch (call.function()) {
            case NEXT_VALUE -> {
                int id = sequence(call);
                yield new Number(isDense.test(id) ? Kind.NEXT_DENSE : Kind.NEXT, id);
            }
            case CURRENT_VALUE -> new Number(Kind.CURRENT, sequence(call));
            case LAST_VALUE -> new Number(Kind.LAST, 0);
            case RANDOM_BITS -> new Number(Kind.RANDOM, 0);
            case ROW_ID -> call.arguments().getFirst() instanceof Expression.Literal ? new Number(Kind.ROW, 0) : null;
            default -> null;
        };
    }

    private static int sequence(Expression.Call call) {
        if (call.arguments().getFirst() instanceof Expression.Literal(var _, Long id)) {
            return Math.toIntExact(id);
        }
        throw Invariants.breach("a sequence is known when a statement is planned");
    }

    private boolean isGiven(Expression.Call call) {
        return number(call) != null;
    }

    private boolean isDrawnByPartition(Expression.Call call) {
        Number number = number(call);
        return number != null && number.kind() == Kind.NEXT;
    }

    /** Null if it is not known how many numbers it draws. */
    private @Nullable StatementPlan in(StatementPlan plan) {
        if (plan.merge().filter(rows -> Drawing.happensIn(rows, this::isGiven)).isPresent()) {
            return null;
        }
        if (plan.steps().isPresent()) {
            StatementPlan.Steps steps = plan.steps().get();
            if (steps.changes().stream().anyMatch(change -> Drawing.happensIn(change, this::isGiven))) {
                return null;
            }
            StatementPlan source = in(steps.source());
            if (source == null) {
                return null;
            }
            StatementPlan.Steps given = steps.of(source);
            return of(plan, given.fragments(), Optional.of(given));
        }
        List<StatementPlan.Fragment> fragments = new ArrayList<>();
        for (StatementPlan.Fragment fragment : plan.fragments()) {
            Operation operation = in(fragment);
            if (operation == null) {
                return null;
            }
            fragments.add(new StatementPlan.Fragment(fragment.scope(), operation));
        }
        return of(plan, fragments, Optional.empty());
    }

    private StatementPlan of(
            StatementPlan plan, List<StatementPlan.Fragment> fragments, Optional<StatementPlan.Steps> steps) {
        List<ColumnType> parameters = new ArrayList<>(plan.parameters());
        numbers.forEach(number -> parameters.add(NUMBER));
        return new StatementPlan(
                plan.sql(),
                parameters,
                plan.columns(),
                fragments,
                plan.merge(),
                plan.onOnePartition(),
                steps,
                plan.narrowing(),
                plan.lock(),
                plan.lockedTables());
    }

    private @Nullable Operation in(StatementPlan.Fragment fragment) {
        boolean isOnReplicas = fragment.scope() instanceof PartitionScope.Replicas;
        return switch (fragment.operation()) {
            case Operation.Insert insert -> {
                boolean isDrawnThere = isOnReplicas && Drawing.happensIn(insert.source(), this::isDrawnByPartition);
                Relation source = isDrawnThere ? null : in(insert.source());
                yield source == null
                        ? null
                        : new Operation.Insert(insert.table(), source, insert.onConflict(), insert.returning());
            }
            case Operation.Query query -> {
                Relation relation = in(query.relation());
                yield relation == null ? null : new Operation.Query(relation);
            }
            case Operation.Update _, Operation.Delete _ -> fragment.operation();
        };
    }

    private @Nullable Relation in(Relation relation) {
        return switch (relation) {
            case Relation.Values values ->
                new Relation.Values(
                        values.columns(),
                        values.rows().stream().map(this::inRow).toList());
            case Relation.Project project -> {
                boolean isOneRow = project.input() instanceof Relation.Values values
                        && values.rows().size() == 1;
                boolean draws =
                        project.expressions().stream().anyMatch(value -> Drawing.happensIn(value, this::isGiven));
                Relation input = in(project.input());
                yield input == null || (draws && !isOneRow)
                        ? null
                        : new Relation.Project(input, inRow(project.expressions()));
            }
            case Relation.Sort sort -> {
                Relation input = in(sort.input());
                yield input == null ? null : new Relation.Sort(input, sort.keys());
            }
            case Relation.UnionAll union -> {
                List<Relation> inputs = new ArrayList<>();
                for (Relation input : union.inputs()) {
                    Relation changed = in(input);
                    if (changed == null) {
                        yield null;
                    }
                    inputs.add(changed);
                }
                yield new Relation.UnionAll(inputs);
            }
            default -> Drawing.happensIn(relation, this::isGiven) ? null : relation;
        };
    }

    private List<Expression> inRow(List<Expression> values) {
        randomParameters.clear();
        return values.stream().map(this::in).toList();
    }

    private Expression in(Expression expression) {
        return in(expression, false);
    }

    /** The parameter of one number more. */
    private int added(Number number) {
        numbers.add(number);
        return firstParameter + numbers.size() - 1;
    }

    /** @param isInteger whether its value becomes an INTEGER at once */
    private Expression in(Expression expression, boolean isInteger) {
        if (!(expression instanceof Expression.Call call) || !Drawing.happensIn(call, this::isGiven)) {
            return expression;
        }
        Number number = number(call);
        if (number != null && number.kind() == Kind.RANDOM) {
            return new Expression.Parameter(
                    randomParameters.computeIfAbsent(RandomNumbers.place(call), place -> added(number)), call.type());
        }
        if (number != null) {
            boolean isNarrow = isInteger && number.kind() == Kind.NEXT;
            return new Expression.Parameter(
                    added(isNarrow ? new Number(Kind.NEXT_INTEGER, number.sequence()) : number), call.type());
        }
        boolean becomesInteger =
                call.function() == ScalarFunction.CAST && call.type().kind() == TypeKind.INTEGER;
        return new Expression.Call(
                call.function(),
                call.arguments().stream()
                        .map(argument -> in(argument, becomesInteger))
                        .toList(),
                call.type(),
                call.nullable());
    }
}
