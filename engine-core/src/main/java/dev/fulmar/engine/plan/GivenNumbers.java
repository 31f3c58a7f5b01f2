package dev.fulmar.engine.plan;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Changes a statement that draws numbers of sequences to one that is given them, as further parameters. That needs to
 * be known before it runs how many it draws: those of constant rows.
 */
public final class GivenNumbers {
    private static final int MOST_PARAMETERS = 1024;
    private static final ColumnType NUMBER = ColumnType.of(TypeKind.BIGINT);

    private final List<Integer> sequences = new ArrayList<>();
    private final int firstParameter;

    private GivenNumbers(int firstParameter) {
        this.firstParameter = firstParameter;
    }

    /**
     * The sequences whose numbers the statement can be given, in their order: one for each number. Empty if it draws
     * none, or as many as there are rows, or more than a statement has parameters, or draws them for rows that each
     * partition has.
     */
    public static List<Integer> sequences(StatementPlan plan) {
        GivenNumbers found = new GivenNumbers(plan.parameters().size());
        boolean isKnown =
                found.in(plan) != null && plan.parameters().size() + found.sequences.size() <= MOST_PARAMETERS;
        return isKnown ? List.copyOf(found.sequences) : List.of();
    }

    /** The same statement with a parameter more for each of {@link #sequences}. */
    public static StatementPlan given(StatementPlan plan) {
        StatementPlan changed = new GivenNumbers(plan.parameters().size()).in(plan);
        return changed == null ? plan : changed;
    }

    /** Null if it is not known how many numbers it draws. */
    private @Nullable StatementPlan in(StatementPlan plan) {
        if (plan.steps().isPresent()) {
            StatementPlan.Steps steps = plan.steps().get();
            if (steps.changes().stream().anyMatch(GivenNumbers::draws)) {
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
        sequences.forEach(sequence -> parameters.add(NUMBER));
        return new StatementPlan(
                plan.sql(),
                parameters,
                plan.columns(),
                fragments,
                plan.merge(),
                plan.onOnePartition(),
                steps,
                plan.narrowing(),
                plan.lock());
    }

    private static boolean draws(StatementPlan plan) {
        return plan.fragments().stream().anyMatch(fragment -> switch (fragment.operation()) {
            case Operation.Insert insert -> Drawing.happensIn(insert.source());
            case Operation.Query query -> Drawing.happensIn(query.relation());
            case Operation.Update _, Operation.Delete _ -> false;
        });
    }

    private @Nullable Operation in(StatementPlan.Fragment fragment) {
        boolean isReplicated = fragment.scope() instanceof PartitionScope.Replicas;
        return switch (fragment.operation()) {
            case Operation.Insert insert -> {
                Relation source = isReplicated ? null : in(insert.source());
                yield source == null
                        ? null
                        : new Operation.Insert(insert.table(), source, insert.upsert(), insert.returning());
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
                        values.rows().stream()
                                .map(row -> row.stream().map(this::in).toList())
                                .toList());
            case Relation.Project project -> {
                boolean isOneRow = project.input() instanceof Relation.Values values
                        && values.rows().size() == 1;
                boolean draws = project.expressions().stream().anyMatch(Drawing::happensIn);
                Relation input = in(project.input());
                yield input == null || (draws && !isOneRow)
                        ? null
                        : new Relation.Project(
                                input,
                                project.expressions().stream().map(this::in).toList());
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
            default -> Drawing.happensIn(relation) ? null : relation;
        };
    }

    private Expression in(Expression expression) {
        if (!(expression instanceof Expression.Call call) || !Drawing.happensIn(call)) {
            return expression;
        }
        if (call.function() == ScalarFunction.NEXT_VALUE
                && call.arguments().getFirst() instanceof Expression.Literal(var _, Long sequence)) {
            sequences.add(Math.toIntExact(sequence));
            return new Expression.Parameter(firstParameter + sequences.size() - 1, call.type());
        }
        return new Expression.Call(
                call.function(), call.arguments().stream().map(this::in).toList(), call.type(), call.nullable());
    }
}
