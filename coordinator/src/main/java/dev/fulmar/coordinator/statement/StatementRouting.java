package dev.fulmar.coordinator.statement;

import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.execution.CompiledStatement;
import dev.fulmar.engine.execution.RowArea;
import dev.fulmar.engine.execution.SoughtArea;
import dev.fulmar.engine.execution.SoughtRow;
import dev.fulmar.engine.execution.StatementRouter;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.spi.Presence;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds the partitions of a statement. One thread at a time. */
final class StatementRouting {
    private final CompiledStatement compiled;
    private final StatementRouter router;
    private final Bindings bindings;
    private final @Nullable SoughtRow soughtRow;
    private @Nullable SoughtArea soughtArea;
    private boolean hasAskedForArea;
    private @Nullable List<SoughtArea> soughtAreas;
    private final ParameterReader reader = new ParameterReader(ParameterWriter.MAX_PARAMETERS);

    StatementRouting(CompiledStatement compiled) {
        this.compiled = compiled;
        this.router = compiled.newRouter();
        this.bindings = compiled.newBindings();
        this.soughtRow = compiled.newSoughtRow();
    }

    BitSet partitions(byte[] parameters, PartitionPlan plan) {
        bind(parameters);
        BitSet partitions = new BitSet(plan.partitionCount());
        for (int fragment = 0; fragment < compiled.fragmentCount(); fragment++) {
            if (!router.isAnywhere(fragment)) {
                router.partitions(fragment, plan, bindings, partitions);
            }
        }
        return partitions;
    }

    /** Whether another plan may part its keys, or bring them together. */
    boolean hasSeveralKeys(byte[] parameters, PartitionPlan plan) {
        bind(parameters);
        KeyPositions positions = new KeyPositions();
        int keys = 0;
        for (int fragment = 0; fragment < compiled.fragmentCount(); fragment++) {
            if (router.isEverywhere(fragment)) {
                return false;
            }
            keys += router.askEachKey(fragment, plan, bindings, positions);
        }
        return positions.areSeveral(keys);
    }

    boolean seeksOneRow() {
        return soughtRow != null;
    }

    /** Number of the row that the statement seeks by a unique key; 0 if it seeks none. */
    long soughtRow(byte[] parameters) {
        if (soughtRow == null) {
            return 0;
        }
        bind(parameters);
        return soughtRow.number(bindings);
    }

    /** The rows of one table that it reads or changes; null if there are none, or if it does not tell. */
    @Nullable RowArea area(byte[] parameters) {
        if (!hasAskedForArea) {
            hasAskedForArea = true;
            soughtArea = compiled.newSoughtArea(); // few statements are asked
        }
        if (soughtArea == null) {
            return null;
        }
        bind(parameters);
        return soughtArea.area(bindings);
    }

    /** The rows of each table that it reads, as far as it tells; by the tables' ids. */
    List<RowArea> areas(byte[] parameters) {
        List<SoughtArea> known = soughtAreas;
        if (known == null) {
            known = compiled.newSoughtAreas();
            soughtAreas = known;
        }
        bind(parameters);
        return known.stream()
                .map(each -> each.area(bindings))
                .filter(Objects::nonNull)
                .toList();
    }

    private void bind(byte[] parameters) {
        bindings.reset(compiled.parameterTypes());
        bindings.readFrom(reader.wrap(parameters, 0, parameters.length));
    }

    /** Notices whether keys have different positions. It is asked about each key but nulls. */
    private static final class KeyPositions implements DataAccess {
        private int asked;
        private @Nullable KeySpace firstSpace;
        private long firstPosition;
        private boolean differ;

        @Override
        public Presence ofKey(KeySpace space, long position) {
            if (asked++ == 0) {
                firstSpace = space;
                firstPosition = position;
            }
            differ |= space != firstSpace || position != firstPosition;
            return Presence.PRESENT;
        }

        @Override
        public Presence ofAll() {
            return Presence.PRESENT;
        }

        /** A null never leaves its partition, so it counts as another key. */
        boolean areSeveral(int keys) {
            return differ || (asked > 0 && asked < keys);
        }
    }
}
