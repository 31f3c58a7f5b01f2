package dev.fulmar.coordinator.statement;

import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.execution.CompiledStatement;
import dev.fulmar.engine.execution.StatementRouter;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import java.util.BitSet;

/** Finds the partitions of a statement. One thread at a time. */
final class StatementRouting {
    private final CompiledStatement compiled;
    private final StatementRouter router;
    private final Bindings bindings;
    private final ParameterReader reader = new ParameterReader(ParameterWriter.MAX_PARAMETERS);

    StatementRouting(CompiledStatement compiled) {
        this.compiled = compiled;
        this.router = compiled.newRouter();
        this.bindings = compiled.newBindings();
    }

    BitSet partitions(byte[] parameters, PartitionPlan plan) {
        bindings.reset(compiled.parameterTypes());
        bindings.readFrom(reader.wrap(parameters, 0, parameters.length));
        BitSet partitions = new BitSet(plan.partitionCount());
        for (int fragment = 0; fragment < compiled.fragmentCount(); fragment++) {
            if (!router.isAnywhere(fragment)) {
                router.partitions(fragment, plan, bindings, partitions);
            }
        }
        return partitions;
    }
}
