package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.sql.estimate.Estimates;
import dev.fulmar.sql.expression.Expressions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plans a {@link JoinGraph} greedily. It begins with the input that its own conditions narrow most, and adds the input
 * that is cheapest to reach, as long as they can be joined where they are. The others are brought together in the
 * merge. Costs follow from the indexes that conditions have, or, where the first input is given, from what is known of
 * the tables.
 */
final class InnerJoins {
    private static final int DERIVED_SCORE = 3;
    private static final int EQUALITY_SCORE = 2;
    private static final int CROSS_PRODUCT_SCORE = -2_000;

    private final RelationPlanner planner;
    private final JoinGraph graph;
    private final List<OrderKey> wanted;
    private final @Nullable Estimates estimates;
    private final int first;
    private final BitSet remaining = new BitSet();
    private final List<Expression> open;

    private InnerJoins(
            RelationPlanner planner, JoinGraph graph, List<OrderKey> wanted, @Nullable Estimates estimates, int first) {
        this.planner = planner;
        this.graph = graph;
        this.wanted = wanted;
        this.estimates = estimates;
        this.first = first;
        this.open = new ArrayList<>(graph.conditions());
        remaining.set(0, graph.inputs().size());
    }

    /** Plans the graph by the indexes alone. */
    static PlannedRelation byRules(RelationPlanner planner, JoinGraph graph, List<OrderKey> wanted) {
        return new InnerJoins(planner, graph, wanted, null, -1).plan();
    }

    /** Plans the graph by what is known of the tables, from that input on. */
    static PlannedRelation byCost(RelationPlanner planner, JoinGraph graph, int first) {
        return new InnerJoins(planner, graph, List.of(), planner.estimates(), first).plan();
    }

    /**
     * Some inputs joined.
     *
     * @param positions for each column of the graph its position in the part's rows, or -1
     */
    private record Group(PlannedRelation plannedRelation, int[] positions, BitSet inputs) {}

    /** The graph's rows, all of its columns in order. */
    private PlannedRelation plan() {
        List<Group> groups = new ArrayList<>();
        while (!remaining.isEmpty()) {
            groups.add(group());
        }
        Group whole = groups.getFirst();
        if (groups.size() > 1) {
            List<Group> others =
                    new ArrayList<>(groups.stream().map(this::shipped).toList());
            whole = others.remove(smallest(others));
            while (!others.isEmpty()) {
                whole = joinShipped(whole, others.remove(mostConnected(whole, others)));
            }
        }
        return inOrder(whole);
    }

    private PlannedRelation inOrder(Group group) {
        List<Integer> columns = Arrays.stream(group.positions()).boxed().toList();
        Relation relation = Relations.select(group.plannedRelation().relation(), columns);
        Distribution distribution =
                group.plannedRelation().distribution().withColumns(position -> positionsOf(group, position));
        return new PlannedRelation(
                relation, distribution, group.plannedRelation().ordered());
    }

    private static List<Integer> positionsOf(Group group, int position) {
        List<Integer> columns = new ArrayList<>();
        for (int column = 0; column < group.positions().length; column++) {
            if (group.positions()[column] == position) {
                columns.add(column);
            }
        }
        return columns;
    }

    private Group group() {
        Group group = start();
        int next = next(group);
        while (next >= 0) {
            group = extend(group, next);
            next = next(group);
        }
        return group;
    }

    /** The first one where that is not known. */
    private int smallest(List<Group> groups) {
        int best = 0;
        if (estimates != null) {
            for (int i = 1; i < groups.size(); i++) {
                if (estimates.rows(groups.get(i).plannedRelation().relation())
                        < estimates.rows(groups.get(best).plannedRelation().relation())) {
                    best = i;
                }
            }
        }
        return best;
    }

    private Group start() {
        int best = first >= 0 && remaining.get(first) ? first : bestStart();
        remaining.clear(best);
        BitSet inputs = new BitSet();
        inputs.set(best);
        int[] positions = new int[graph.columns()];
        Arrays.fill(positions, -1);
        JoinInput input = graph.inputs().get(best);
        place(input, graph.offset(best), positions, 0);
        return new Group(planner.planInput(input, wantedOf(best, input)), positions, inputs);
    }

    private int bestStart() {
        int best = -1;
        int bestScore = Integer.MIN_VALUE;
        for (int i = remaining.nextSetBit(0); i >= 0; i = remaining.nextSetBit(i + 1)) {
            JoinInput input = graph.inputs().get(i);
            int score = input.table() == null ? DERIVED_SCORE : Scans.score(input.table(), input.conditions());
            if (score > bestScore) {
                best = i;
                bestScore = score;
            }
        }
        return best;
    }

    /** The wanted order in terms of the rows that the input produces, empty if another input's column comes in. */
    private List<OrderKey> wantedOf(int inputIndex, JoinInput input) {
        List<OrderKey> keys = new ArrayList<>();
        for (OrderKey key : wanted) {
            if (key.columns().stream().anyMatch(column -> graph.inputOf(column) != inputIndex)) {
                return List.of();
            }
            keys.add(key.renumbered(column -> input.columns().get(column - graph.offset(inputIndex))));
        }
        return keys;
    }

    private static void place(JoinInput input, int offset, int[] positions, int base) {
        for (int column = 0; column < input.columns().size(); column++) {
            positions[offset + column] = base + input.columns().get(column);
        }
    }

    /** The cheapest remaining input that can be joined where the group is; -1 if there is none. */
    private int next(Group group) {
        int best = -1;
        double bestScore = Double.NEGATIVE_INFINITY;
        for (int i = remaining.nextSetBit(0); i >= 0; i = remaining.nextSetBit(i + 1)) {
            if (joinedDistribution(group, i) != null && !isPremature(group, i)) {
                double score = estimates == null ? score(group, i) : -effort(estimates, join(group, i));
                if (score > bestScore) {
                    best = i;
                    bestScore = score;
                }
            }
        }
        return best;
    }

    /**
     * Whether the input has nothing to do with the group, but with another input that cannot be joined here. All pairs
     * would be brought together in vain.
     */
    private boolean isPremature(Group group, int inputIndex) {
        if (!joinConditions(group, inputIndex).isEmpty()) {
            return false;
        }
        BitSet elsewhere = new BitSet();
        for (Expression condition : open) {
            BitSet inputs = graph.inputsOf(Expressions.columns(condition));
            if (inputs.get(inputIndex)) {
                elsewhere.or(inputs);
            }
        }
        elsewhere.clear(inputIndex);
        elsewhere.andNot(group.inputs());
        return elsewhere.stream().anyMatch(other -> joinedDistribution(group, other) == null);
    }

    private @Nullable Distribution joinedDistribution(Group group, int inputIndex) {
        Distribution right = planner.distribution(graph.inputs().get(inputIndex));
        return JoinDistribution.of(
                group.plannedRelation().distribution(),
                right,
                group.plannedRelation().width(),
                JoinKind.INNER,
                (leftPosition, rightPosition) -> areEqual(group, leftPosition, inputIndex, rightPosition));
    }

    private boolean areEqual(Group group, int leftPosition, int inputIndex, int rightPosition) {
        JoinInput input = graph.inputs().get(inputIndex);
        for (int column = 0; column < input.columns().size(); column++) {
            if (input.columns().get(column) == rightPosition) {
                int right = graph.offset(inputIndex) + column;
                if (positionsOf(group, leftPosition).stream()
                        .anyMatch(left -> graph.equalColumns().areEqual(left, right))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Many rows are work for the operators that read them too. */
    private static double effort(Estimates estimates, JoinSides joined) {
        return estimates.cost(joined.relation()) + estimates.rows(joined.relation());
    }

    private JoinSides join(Group group, int inputIndex) {
        return JoinSides.of(
                group.plannedRelation().relation(),
                rightSide(graph.inputs().get(inputIndex)),
                joinConditions(group, inputIndex),
                estimates);
    }

    private int score(Group group, int inputIndex) {
        JoinInput input = graph.inputs().get(inputIndex);
        List<Expression> conditions = joinConditions(group, inputIndex);
        if (conditions.isEmpty()) {
            return CROSS_PRODUCT_SCORE
                    + (input.table() == null ? DERIVED_SCORE : Scans.score(input.table(), input.conditions()));
        }
        int indexScore = JoinPlanner.indexScore(group.plannedRelation().width(), rightSide(input), conditions);
        return Math.max(indexScore, EQUALITY_SCORE);
    }

    private JoinPlanner.RightSide rightSide(JoinInput input) {
        return planner.rightSide(input);
    }

    /** Open conditions that only need the group and the input, over the joined row. */
    private List<Expression> joinConditions(Group group, int inputIndex) {
        int[] positions = joinedPositions(group, inputIndex);
        return applicable(group, inputIndex).stream()
                .map(condition -> Expressions.renumber(condition, column -> positions[column]))
                .toList();
    }

    private List<Expression> applicable(Group group, int inputIndex) {
        BitSet known = (BitSet) group.inputs().clone();
        known.set(inputIndex);
        return open.stream()
                .filter(condition -> isSubset(graph.inputsOf(Expressions.columns(condition)), known))
                .toList();
    }

    private static boolean isSubset(BitSet part, BitSet whole) {
        BitSet rest = (BitSet) part.clone();
        rest.andNot(whole);
        return rest.isEmpty();
    }

    private int[] joinedPositions(Group group, int inputIndex) {
        int[] positions = group.positions().clone();
        place(
                graph.inputs().get(inputIndex),
                graph.offset(inputIndex),
                positions,
                group.plannedRelation().width());
        return positions;
    }

    private Group extend(Group group, int inputIndex) {
        Distribution distribution = joinedDistribution(group, inputIndex);
        if (distribution == null) {
            throw new IllegalStateException("only inputs that can be joined are chosen");
        }
        JoinSides joined = join(group, inputIndex);
        int[] positions = joined.positions(joinedPositions(group, inputIndex));
        open.removeAll(applicable(group, inputIndex));
        remaining.clear(inputIndex);
        BitSet inputs = (BitSet) group.inputs().clone();
        inputs.set(inputIndex);
        boolean ordered = group.plannedRelation().ordered() && JoinPlanner.keepsOrder(joined.relation());
        PlannedRelation plannedRelation =
                new PlannedRelation(joined.relation(), joined.distribution(distribution), ordered);
        return new Group(plannedRelation, positions, inputs);
    }

    /** In the merge, reduced to the columns of the graph. */
    private Group shipped(Group group) {
        if (group.plannedRelation().distribution() instanceof Distribution.Merged) {
            return group;
        }
        List<Integer> kept = new ArrayList<>();
        int[] positions = group.positions().clone();
        for (int column = 0; column < positions.length; column++) {
            if (positions[column] >= 0) {
                int place = kept.indexOf(positions[column]);
                if (place < 0) {
                    place = kept.size();
                    kept.add(positions[column]);
                }
                positions[column] = place;
            }
        }
        Relation selected = Relations.select(group.plannedRelation().relation(), kept);
        PlannedRelation plannedRelation = planner.ship(PlannedRelation.unordered(
                selected, group.plannedRelation().distribution().withColumns(column -> List.of())));
        return new Group(plannedRelation, positions, group.inputs());
    }

    private int mostConnected(Group whole, List<Group> others) {
        if (estimates != null) {
            return cheapest(estimates, whole, others);
        }
        for (int i = 0; i < others.size(); i++) {
            if (!crossing(whole, others.get(i)).isEmpty()) {
                return i;
            }
        }
        return 0;
    }

    private int cheapest(Estimates known, Group whole, List<Group> others) {
        int best = 0;
        for (int i = 1; i < others.size(); i++) {
            if (effort(known, joinInMerge(whole, others.get(i)))
                    < effort(known, joinInMerge(whole, others.get(best)))) {
                best = i;
            }
        }
        return best;
    }

    private List<Expression> crossing(Group left, Group right) {
        BitSet known = (BitSet) left.inputs().clone();
        known.or(right.inputs());
        return open.stream()
                .filter(condition -> isSubset(graph.inputsOf(Expressions.columns(condition)), known))
                .toList();
    }

    private static int[] positionsOfBoth(Group left, Group right) {
        int[] positions = left.positions().clone();
        for (int column = 0; column < positions.length; column++) {
            if (right.positions()[column] >= 0) {
                positions[column] = left.plannedRelation().width() + right.positions()[column];
            }
        }
        return positions;
    }

    private JoinSides joinInMerge(Group left, Group right) {
        int[] positions = positionsOfBoth(left, right);
        return JoinSides.of(
                left.plannedRelation().relation(),
                JoinPlanner.RightSide.of(right.plannedRelation().relation()),
                crossing(left, right).stream()
                        .map(condition -> Expressions.renumber(condition, column -> positions[column]))
                        .toList(),
                estimates);
    }

    private Group joinShipped(Group left, Group right) {
        JoinSides joined = joinInMerge(left, right);
        open.removeAll(crossing(left, right));
        BitSet inputs = (BitSet) left.inputs().clone();
        inputs.or(right.inputs());
        return new Group(
                PlannedRelation.unordered(joined.relation(), new Distribution.Merged()),
                joined.positions(positionsOfBoth(left, right)),
                inputs);
    }
}
