package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.execution.CompiledStatement;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query whose rows are handed out as they are read.
 *
 * @param partitions that may have rows, in the order in which they are read
 * @param work the same at each of them
 */
record PortalScan(List<PartitionId> partitions, StatementFragment work, ResultLayout layout) {
    private static final int FIRST_BYTES = 256;
    private static final int MAX_PARAMETER_BYTES = 64 << 20;

    PortalScan {
        partitions = List.copyOf(partitions);
    }

    /**
     * The scan of the statement; null if its rows have to be brought together, or kept, before the first is known.
     *
     * @param home where a statement runs that can run anywhere
     */
    static @Nullable PortalScan of(
            TargetSource.Prepared prepared,
            byte[] parameters,
            PartitionRuntimes runtimes,
            PartitionId home,
            long transactionMicros,
            long timeNanos) {
        Program program = prepared.program();
        LoadedProcedure procedure = prepared.target().procedure();
        ProcedureStatement statement = procedure.statements().getFirst();
        CompiledStatement compiled = statement.compiled();
        Bindings bindings = compiled.newBindings();
        ParameterReader reader = new ParameterReader(ParameterWriter.MAX_PARAMETERS);
        bindings.readFrom(reader.wrap(parameters, 0, parameters.length));
        FragmentPartitions places = new FragmentPartitions();
        places.place(compiled.newRouter(), compiled, program.plan(), bindings);
        places.settle(home.number());
        boolean isAlone = places.isOnOne();
        if (statement.steps() != null || !compiled.yieldsParts(isAlone)) {
            return null;
        }
        ParameterWriter writer = new ParameterWriter(FIRST_BYTES, MAX_PARAMETER_BYTES);
        bindings.writeTo(writer);
        StatementFragment work = new StatementFragment(
                runtimes,
                program,
                procedure,
                0,
                statement,
                isAlone ? StatementFragment.WHOLE : 0,
                writer.toByteArray(),
                transactionMicros,
                timeNanos,
                false);
        return new PortalScan(ids(isAlone, places, runtimes), work, compiled.resultLayout());
    }

    private static List<PartitionId> ids(boolean isAlone, FragmentPartitions places, PartitionRuntimes runtimes) {
        List<PartitionId> ids = new ArrayList<>();
        BitSet numbers = new BitSet();
        if (isAlone) {
            numbers.set(places.first());
        } else {
            numbers.or(places.partitions(0));
        }
        for (int p = numbers.nextSetBit(0); p >= 0; p = numbers.nextSetBit(p + 1)) {
            ids.add(runtimes.all().get(p).partition().id());
        }
        return ids;
    }
}
