package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.sql.expression.Conversion;
import dev.fulmar.sql.expression.Expressions;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * Plans ORDER BY, LIMIT and OFFSET: by an index's order, or by sorting; a distributed top-N is cut down on each
 * partition first.
 */
final class SortPlanner {
    private final RelationPlanner planner;

    SortPlanner(RelationPlanner planner) {
        this.planner = planner;
    }

    /** @param asked the order that whoever reads the sorted rows would like */
    PlannedRelation plan(Sort sort, List<OrderKey> asked) {
        List<OrderKey> wanted = new ArrayList<>();
        for (RelFieldCollation collation : sort.getCollation().getFieldCollations()) {
            boolean descending = collation.getDirection().isDescending();
            wanted.add(new OrderKey(
                    collation.getFieldIndex(),
                    descending,
                    collation.nullDirection == RelFieldCollation.NullDirection.FIRST
                            || (collation.nullDirection == RelFieldCollation.NullDirection.UNSPECIFIED && descending)));
        }
        Expression offset = count(sort.offset);
        Expression fetch = count(sort.fetch);
        PlannedRelation input = planner.plan(sort.getInput(), wanted);
        boolean ordered = wanted.isEmpty() || input.ordered();
        boolean asAsked =
                wanted.size() >= asked.size() && wanted.subList(0, asked.size()).equals(asked);
        if (input.distribution().isWhole()) {
            Relation sorted = ordered ? input.relation() : sort(input.relation(), wanted);
            boolean chooses = fetch != null || offset != null;
            Distribution distribution = chooses && input.distribution() instanceof Distribution.Everywhere
                    ? new Distribution.Once()
                    : input.distribution();
            return new PlannedRelation(limit(sorted, offset, fetch), distribution, asAsked);
        }
        Relation local = input.relation();
        if (fetch != null) {
            Relation sorted = ordered ? local : sort(local, wanted);
            local = limit(sorted, null, sum(offset, fetch));
        }
        PlannedRelation shipped = planner.ship(PlannedRelation.unordered(local, input.distribution()));
        Relation merged = wanted.isEmpty() ? shipped.relation() : sort(shipped.relation(), wanted);
        return new PlannedRelation(limit(merged, offset, fetch), shipped.distribution(), asAsked);
    }

    private @Nullable Expression count(@Nullable RexNode node) {
        return node == null ? null : Conversion.cast(planner.converter().convert(node), Expressions.BIGINT);
    }

    private static Expression sum(@Nullable Expression offset, Expression fetch) {
        if (offset instanceof Expression.Literal skipped
                && fetch instanceof Expression.Literal taken
                && skipped.value() instanceof Long first
                && taken.value() instanceof Long count
                && first <= Long.MAX_VALUE - count) {
            return new Expression.Literal(Expressions.BIGINT, first + count);
        }
        return offset == null ? fetch : Expressions.strict(ScalarFunction.PLUS, Expressions.BIGINT, offset, fetch);
    }

    static Relation limit(Relation input, @Nullable Expression offset, @Nullable Expression fetch) {
        return offset == null && fetch == null ? input : new Relation.Limit(input, offset, fetch);
    }

    private static Relation sort(Relation input, List<OrderKey> wanted) {
        List<ColumnType> types = input.columns();
        return new Relation.Sort(
                input,
                wanted.stream()
                        .map(key -> new Relation.SortKey(
                                new Expression.ColumnReference(key.column(), types.get(key.column()), true),
                                key.descending(),
                                key.nullsFirst()))
                        .toList());
    }
}
