package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.JsonKeys;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.plan.StatementPlan.Fragment;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.userfunction.UserFunctions;
import dev.fulmar.foundation.data.ColumnType;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the partitions that the fragments of one statement need. One thread; allocates nothing per call. */
public final class StatementRouter {
    private static final int TEMPORARY_BYTES = 1 << 20;

    private final List<Target> targets = new ArrayList<>();
    private final Frame frame = new Frame(0, new ScratchMemory(TEMPORARY_BYTES), new ParameterSlots());

    /**
     * The target of a fragment: any one partition, all, or those of the keys.
     *
     * @param replicated whether it is about rows that every partition has, and that never move
     * @param ofRows whether each key is that of a row that is inserted, in the order of the rows
     */
    private record Target(boolean any, boolean all, boolean replicated, boolean ofRows, List<Evaluator> keys) {
        private static final Target ANY = new Target(true, false, false, false, List.of());
        private static final Target ALL = new Target(false, true, false, false, List.of());
        private static final Target REPLICAS = new Target(false, true, true, false, List.of());

        static Target ofKeys(List<Evaluator> keys) {
            return new Target(false, false, false, false, keys);
        }

        static Target ofRows(List<Evaluator> keys) {
            return new Target(false, false, false, true, keys);
        }
    }

    StatementRouter(StatementPlan plan) {
        ExpressionCompiler expressions = new ExpressionCompiler(List.of());
        for (Fragment fragment : plan.fragments()) {
            targets.add(
                    switch (fragment.scope()) {
                        case PartitionScope.Any() -> Target.ANY;
                        case PartitionScope.All() -> Target.ALL;
                        case PartitionScope.Replicas() -> Target.REPLICAS;
                        case PartitionScope.Keys(List<Expression> values) ->
                            Target.ofKeys(values.stream()
                                    .map(value -> JsonKeys.comparable(expressions.compile(value), value.type()))
                                    .toList());
                        case PartitionScope.ByRow(int column) -> byRow(fragment.operation(), column, expressions);
                    });
        }
    }

    private static Target byRow(Operation operation, int column, ExpressionCompiler expressions) {
        if (operation instanceof Operation.Insert insert && insert.source() instanceof Relation.Values values) {
            List<Evaluator> keys = new ArrayList<>();
            for (List<Expression> row : values.rows()) {
                if (isComputedThere(row.get(column))) {
                    return Target.ALL; // only where the statement runs is that known
                }
                ColumnType type = values.columns().get(column);
                keys.add(JsonKeys.comparable(expressions.as(row.get(column), type), type));
            }
            return Target.ofRows(keys);
        }
        return Target.ALL;
    }

    /** Whether the value depends on the transaction's time, or on a function of users, which has a budget there. */
    private static boolean isComputedThere(Expression value) {
        return value instanceof Expression.Call call
                && switch (call.function()) {
                    case CURRENT_TIMESTAMP, CURRENT_DATE, CURRENT_TIME, ROW_ID -> true;
                    case USER_DEFINED -> UserFunctions.areCalled(call) || anyIsComputedThere(call);
                    default -> anyIsComputedThere(call);
                };
    }

    private static boolean anyIsComputedThere(Expression.Call call) {
        return call.arguments().stream().anyMatch(StatementRouter::isComputedThere);
    }

    /** Whether any one partition will do for the fragment; then {@link #partitions} adds none. */
    public boolean isAnywhere(int fragment) {
        return targets.get(fragment).any();
    }

    /** Whether the fragment runs on all partitions, whatever the plan is. */
    public boolean isEverywhere(int fragment) {
        return targets.get(fragment).all();
    }

    /**
     * Asks about each key of the fragment, wherever its rows are, but not about nulls.
     *
     * @return the number of keys, with nulls
     */
    public int askEachKey(int fragment, PartitionPlan plan, Bindings bindings, DataAccess asked) {
        frame.parameters = bindings.slots();
        frame.temporary.reset(0);
        List<Evaluator> keys = targets.get(fragment).keys();
        keys.forEach(key -> PartitionKey.require(asked, plan, key, frame));
        return keys.size();
    }

    /** Adds the partitions that the fragment must run on. */
    public void partitions(int fragment, PartitionPlan plan, Bindings bindings, BitSet partitions) {
        Target target = targets.get(fragment);
        if (target.all()) {
            partitions.set(0, plan.partitionCount());
            return;
        }
        frame.parameters = bindings.slots();
        frame.temporary.reset(0);
        for (Evaluator key : target.keys()) {
            partitions.set(PartitionKey.partition(plan, key, frame));
        }
    }

    /** The partition of each row that the fragment inserts, in their order; null if that is not known. Allocates. */
    public int @Nullable [] partitionsOfRows(int fragment, PartitionPlan plan, Bindings bindings) {
        Target target = targets.get(fragment);
        if (!target.ofRows()) {
            return null;
        }
        frame.parameters = bindings.slots();
        frame.temporary.reset(0);
        int[] partitions = new int[target.keys().size()];
        for (int row = 0; row < partitions.length; row++) {
            partitions[row] = PartitionKey.partition(plan, target.keys().get(row), frame);
        }
        return partitions;
    }

    /** Asks the guard for what the fragment needs of this partition; ends the statement if that is not here. */
    void require(DataAccess access, int fragment, PartitionPlan plan, int partition, Bindings bindings) {
        Target target = targets.get(fragment);
        if (target.all()) {
            if (!target.replicated()) {
                PartitionKey.require(access.ofAll());
            }
            return;
        }
        frame.parameters = bindings.slots();
        frame.temporary.reset(0);
        List<Evaluator> keys = target.keys();
        for (int i = 0; i < keys.size(); i++) {
            if (PartitionKey.partition(plan, keys.get(i), frame) == partition) {
                PartitionKey.require(access, plan, keys.get(i), frame);
            }
        }
    }

    /** Whether the fragment needs no partition but this one. */
    boolean isOwned(int fragment, PartitionPlan plan, int partition, Bindings bindings) {
        Target target = targets.get(fragment);
        if (target.all()) {
            return plan.partitionCount() == 1;
        }
        frame.parameters = bindings.slots();
        List<Evaluator> keys = target.keys();
        for (int i = 0; i < keys.size(); i++) {
            if (PartitionKey.partition(plan, keys.get(i), frame) != partition) {
                return false;
            }
        }
        return true;
    }
}
