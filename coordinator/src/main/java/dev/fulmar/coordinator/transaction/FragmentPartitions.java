package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.execution.CompiledStatement;
import dev.fulmar.engine.execution.StatementRouter;
import dev.fulmar.engine.partitioning.PartitionPlan;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The partitions that the fragments of one statement go to; used for one statement after another. */
final class FragmentPartitions {
    private final List<BitSet> fragments = new ArrayList<>();
    private final BitSet all = new BitSet();
    private int fragmentCount;
    private boolean onOne;

    /** Finds the partitions; a fragment that can run anywhere gets none yet. */
    void place(StatementRouter router, CompiledStatement statement, PartitionPlan plan, Bindings bindings) {
        fragmentCount = statement.fragmentCount();
        all.clear();
        for (int fragment = 0; fragment < fragmentCount; fragment++) {
            if (fragment == fragments.size()) {
                fragments.add(new BitSet());
            }
            BitSet partitions = fragments.get(fragment);
            partitions.clear();
            if (!router.isAnywhere(fragment)) {
                router.partitions(fragment, plan, bindings, partitions);
                all.or(partitions);
            }
        }
    }

    /** Sends what can run anywhere to the given partition. */
    void settle(int anywhere) {
        for (int fragment = 0; fragment < fragmentCount; fragment++) {
            BitSet partitions = fragments.get(fragment);
            if (partitions.isEmpty()) {
                partitions.set(anywhere);
                all.set(anywhere);
            }
        }
        onOne = all.cardinality() == 1;
    }

    int fragmentCount() {
        return fragmentCount;
    }

    BitSet partitions(int fragment) {
        return fragments.get(fragment);
    }

    /** The lowest partition, or -1 if there is none yet. */
    int first() {
        return all.nextSetBit(0);
    }

    /** All fragments go to one and the same partition. */
    boolean isOnOne() {
        return onOne;
    }
}
