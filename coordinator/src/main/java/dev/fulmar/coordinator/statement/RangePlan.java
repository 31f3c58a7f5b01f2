package dev.fulmar.coordinator.statement;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Optional;

/** The plan of a statement by which a node draws a range of numbers, at the partition that has the sequence's place. */
final class RangePlan {
    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);

    private RangePlan() {}

    /** @throws FulmarException {@link ErrorCode#WRONG_NODE} if the catalog has no such dense sequence any more */
    static StatementPlan of(String text, int sequence, Catalog catalog) {
        Table table = catalog.tables().values().stream()
                .filter(each -> each.id() == sequence && catalog.isDenseSequence(sequence))
                .findFirst()
                .orElseThrow(() -> new FulmarException(
                        ErrorCode.WRONG_NODE,
                        "the sequence of the statement is another one now; send the statement again"));
        SequenceRule rule = table.sequence().orElseThrow();
        Expression first = new Expression.Call(
                ScalarFunction.NEXT_RANGE,
                List.of(number(sequence), new Expression.Parameter(0, BIGINT)),
                BIGINT,
                false);
        Expression place = new Expression.Literal(
                table.columns().get(SequenceRule.PLACE).type(), SequenceRule.densePlace(sequence));
        List<ResultColumn> columns = List.of(
                new ResultColumn("FIRST", BIGINT, false),
                new ResultColumn("INCREMENT", BIGINT, false),
                new ResultColumn("CACHE", BIGINT, false),
                new ResultColumn("LAST", BIGINT, false));
        Relation row = new Relation.Values(
                List.of(BIGINT, BIGINT, BIGINT, BIGINT),
                List.of(List.of(first, number(rule.increment()), number(rule.cache()), number(rule.last()))));
        return new StatementPlan(
                text,
                List.of(BIGINT),
                columns,
                List.of(new StatementPlan.Fragment(new PartitionScope.Keys(List.of(place)), new Operation.Query(row))),
                Optional.empty());
    }

    private static Expression number(long value) {
        return new Expression.Literal(BIGINT, value);
    }
}
