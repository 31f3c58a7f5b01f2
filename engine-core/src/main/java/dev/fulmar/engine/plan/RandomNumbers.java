package dev.fulmar.engine.plan;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Random numbers in a statement. A node gives them to it, so that it does the same on each copy, and when it is sent
 * again. A constant row has numbers of its own. Where rows are found, a number that is given is the seed of those of
 * the rows, which each partition computes in the order in which it meets them.
 *
 * <p>Invariant: what is written once is computed once for each row. A statement is refused whose plan computes it at
 * several places, for these would differ.
 */
public final class RandomNumbers {
    private static final ColumnType NUMBER = ColumnType.of(TypeKind.BIGINT);

    private RandomNumbers() {}

    /** Whether the plan, or parts of it, have random numbers that they are not given. */
    public static boolean areIn(Object planned) {
        return !places(planned).isEmpty();
    }

    /** The same of an expression, which is quick. */
    public static boolean areIn(Expression value) {
        return Drawing.happensIn(value, RandomNumbers::areBits);
    }

    private static boolean areBits(Expression.Call call) {
        return call.function() == ScalarFunction.RANDOM_BITS;
    }

    /**
     * The places that need seeds, in their order.
     *
     * @throws FulmarException {@link ErrorCode#NOT_SUPPORTED} if rows cannot have random numbers there
     */
    static SortedSet<Long> ofRows(StatementPlan plan) {
        StatementPlan source = plan.steps().map(StatementPlan.Steps::source).orElse(plan);
        boolean isChanged = plan.steps().isPresent()
                && plan.steps().get().changes().stream().anyMatch(RandomNumbers::areIn);
        boolean isInCopies = source.fragments().stream()
                .anyMatch(fragment -> fragment.scope() instanceof PartitionScope.Replicas
                        && !(fragment.operation() instanceof Operation.Query)
                        && areIn(fragment.operation()));
        if (isChanged || isInCopies) {
            throw refused("each partition would have numbers of its own for the rows of a replicated table, or for keys"
                    + " over partitions");
        }
        List<Object> once = new ArrayList<>(source.fragments());
        source.merge().ifPresent(once::add);
        checkOnce(places(once));
        source.onOnePartition().ifPresent(together -> checkOnce(places(together)));
        return new TreeSet<>(places(source));
    }

    /** The same plan with a further parameter for each of the places, without the plans that narrow a query. */
    static StatementPlan withSeeds(StatementPlan plan, SortedSet<Long> places) {
        int first = plan.parameters().size();
        TreeMap<Long, Expression> seeds = new TreeMap<>();
        for (long place : places) {
            seeds.put(place, new Expression.Parameter(first + seeds.size(), NUMBER));
        }
        StatementPlan seeded = PlanParts.changed(
                broad(plan),
                part -> part instanceof Expression.Call call && areBits(call)
                        ? new Expression.Call(
                                ScalarFunction.RANDOM_OF_ROW, List.of(seeds.get(place(call))), NUMBER, false)
                        : part);
        return withParameters(seeded, places.size());
    }

    private static StatementPlan broad(StatementPlan plan) {
        return plan.narrowedBy(Optional.empty())
                .inSteps(plan.steps().map(each -> each.of(each.source().narrowedBy(Optional.empty()))));
    }

    private static StatementPlan withParameters(StatementPlan plan, int further) {
        return RowNumbers.withParameters(plan, further)
                .inSteps(plan.steps().map(each -> each.of(RowNumbers.withParameters(each.source(), further))));
    }

    /** The number of the place in its statement. */
    static long place(Expression.Call bits) {
        if (bits.arguments().getFirst() instanceof Expression.Literal(ColumnType _, Long place)) {
            return place;
        }
        throw Invariants.breach("the place of a random number is known when a statement is planned");
    }

    private static List<Long> places(Object planned) {
        List<Long> found = new ArrayList<>();
        PlanParts.visit(planned, part -> {
            if (part instanceof Expression.Call call && areBits(call)) {
                found.add(place(call));
            }
            return true;
        });
        return found;
    }

    private static void checkOnce(List<Long> places) {
        if (new TreeSet<>(places).size() < places.size()) {
            throw refused("it would be computed several times for a row here");
        }
    }

    private static FulmarException refused(String why) {
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED,
                "RANDOM or GEN_RANDOM_UUID: " + why
                        + "; pass the value as a parameter, or draw it in a statement before");
    }
}
