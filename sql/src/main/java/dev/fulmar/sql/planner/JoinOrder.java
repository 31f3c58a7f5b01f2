package dev.fulmar.sql.planner;

import dev.fulmar.sql.estimate.Estimates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Chooses the order in which the inputs of a {@link JoinGraph} are joined. It is the usual one, or, where enough is
 * known of the tables, the cheapest of those that {@link InnerJoins} finds when it begins with one or the other input.
 */
final class JoinOrder {
    /** Estimates are rough; what is hardly better by them stays as it is without. */
    private static final double CLEARLY_CHEAPER = 0.7;

    /** The cost, in rows of a scan, below which a search for another order is not worth it. */
    private static final double CHEAP = 5_000;

    /** Most inputs that are tried as the first one; those with the fewest rows. */
    private static final int MOST_STARTS = 8;

    private final RelationPlanner planner;
    private final JoinGraph graph;
    private final List<OrderKey> wanted;

    JoinOrder(RelationPlanner planner, JoinGraph graph, List<OrderKey> wanted) {
        this.planner = planner;
        this.graph = graph;
        this.wanted = wanted;
    }

    /** The graph's rows, all of its columns in order. */
    PlannedRelation plan() {
        return graph.inputs().size() > 1 && planner.estimates().ask()
                ? cheapest(planner.estimates())
                : InnerJoins.byRules(planner, graph, wanted);
    }

    private PlannedRelation cheapest(Estimates estimates) {
        // What is no table is planned, and perhaps shipped, once, whichever order follows.
        graph.inputs().forEach(planner::distribution);
        RelationPlanner.Mark mark = planner.mark();
        PlannedRelation usual = InnerJoins.byRules(planner, graph, wanted);
        double cost = estimates.cost(usual.relation());
        if (usual.ordered() || cost < CHEAP) {
            return usual;
        }
        double least = cost * CLEARLY_CHEAPER;
        int best = -1;
        for (int start : starts(estimates)) {
            planner.backTo(mark);
            PlannedRelation plannedRelation = InnerJoins.byCost(planner, graph, start);
            double other = estimates.cost(plannedRelation.relation());
            if (other < least && isAsSpread(plannedRelation, usual)) {
                least = other;
                best = start;
            }
        }
        planner.backTo(mark);
        return best < 0 ? InnerJoins.byRules(planner, graph, wanted) : InnerJoins.byCost(planner, graph, best);
    }

    /** Whether no more is left to the merge, which is one thread. */
    private static boolean isAsSpread(PlannedRelation plannedRelation, PlannedRelation usual) {
        return usual.distribution() instanceof Distribution.Merged
                || !(plannedRelation.distribution() instanceof Distribution.Merged);
    }

    private List<Integer> starts(Estimates estimates) {
        List<Double> rows = new ArrayList<>();
        for (JoinInput input : graph.inputs()) {
            rows.add(estimates.rows(planner.planInput(input, List.of()).relation()));
        }
        return IntStream.range(0, rows.size())
                .boxed()
                .sorted(Comparator.comparing(rows::get))
                .limit(MOST_STARTS)
                .toList();
    }
}
