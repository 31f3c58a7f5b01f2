package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.ReferencePlaces;
import dev.fulmar.engine.execution.ReferenceVerification;
import dev.fulmar.engine.execution.SequenceSpread;
import dev.fulmar.engine.execution.TableConversion;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.table.BucketTransfer;
import dev.fulmar.engine.table.PartitionStorage;
import java.util.List;
import java.util.Optional;

/**
 * Description of one change of a partition's storage, such as building an index, that a change of the catalog needs on
 * every partition. {@link StorageStepWork} executes it.
 */
public sealed interface StorageStep {
    record CreateTable(Table table) implements StorageStep {}

    record DropTable(Table table) implements StorageStep {}

    /** The table, which must be empty, gets another layout. */
    record RebuildEmptyTable(Table before, Table after) implements StorageStep {}

    /**
     * @param table with the index
     * @param reference a foreign key that comes with the index, and that the rows that exist must meet
     */
    record CreateIndex(Table table, Index index, Optional<NewReference> reference) implements StorageStep {
        /** An index by itself. */
        CreateIndex(Table table, Index index) {
            this(table, index, Optional.empty());
        }

        /** The table as it was before. */
        Table withoutIndex() {
            return table.withIndexes(table.indexes().stream()
                    .filter(other -> other.id() != index.id())
                    .toList());
        }
    }

    /** The rows lie as they do, but the table is defined otherwise. */
    record RedefineTable(Table before, Table after) implements StorageStep {}

    /** The column is null in no row. */
    record VerifyNotNull(Table table, int column) implements StorageStep {}

    /**
     * The table gets another layout and with it another id; its rows are copied, and meet the conditions that are new.
     *
     * @param sources as {@link dev.fulmar.engine.execution.TableConversion} takes them
     * @param micros the time of a new column's default, since the epoch
     */
    record ConvertTable(Table before, Table after, List<Integer> sources, long micros) implements StorageStep {
        public ConvertTable {
            sources = List.copyOf(sources);
        }

        /** A conversion in which no default depends on the time. */
        public ConvertTable(Table before, Table after, List<Integer> sources) {
            this(before, after, sources, 0);
        }

        /** Makes the new table; the old one stays. */
        public void convert(PartitionStorage storage) {
            TableConversion.convert(storage, before, after, sources, micros);
        }
    }

    /** The sequence of a replicated table becomes that of a partitioned one, which goes on behind all its numbers. */
    record SpreadSequence(Table before, Table after) implements StorageStep {
        /** Makes the new one; the old one stays. */
        public void make(PartitionStorage storage, PartitionPlan plan, int partition) {
            SequenceSpread.make(storage, before, after, plan, partition);
        }
    }

    /**
     * A materialized view is made from the rows of its sources.
     *
     * @param sources in their order there, with the indexes that the view needs
     */
    record FillView(List<Table> sources, Table view) implements StorageStep {
        public FillView {
            sources = List.copyOf(sources);
        }
    }

    /**
     * There are no rows yet: no partition could say by itself whether they meet what is new.
     *
     * @param reason that follows in the message, with what to do
     */
    record VerifyEmpty(Table table, String reason) implements StorageStep {
        /** The same for a constraint that reaches over partitions, as messages name it. */
        static VerifyEmpty before(Table table, String constraint) {
            return new VerifyEmpty(
                    table,
                    constraint
                            + " reaches over partitions; add it by a statement of its own, outside of a transaction");
        }

        /** For each table with a foreign key that no statement could enforce after the change. */
        static List<StorageStep> ofRefused(Catalog before, Catalog after) {
            return ReferencePlaces.newlyRefused(before, after).stream()
                    .<StorageStep>map(each -> new VerifyEmpty(
                            each.table(), ReferencePlaces.refusal(each, after).orElseThrow()))
                    .toList();
        }
    }

    /** The rows that exist must meet the condition. */
    record VerifyCheck(Table table, Check check) implements StorageStep {}

    /** The rows that exist must meet the foreign key. */
    record VerifyReference(NewReference reference) implements StorageStep {}

    /** The same where all rows refer to one, for their column is new: there is one row to look at, not each. */
    record VerifyAlike(NewReference reference) implements StorageStep {}

    /**
     * A foreign key that a table gets.
     *
     * @param table with the key
     */
    record NewReference(Table table, Table parent, ForeignKey key) {
        ReferenceVerification verification(PartitionStorage storage) {
            return new ReferenceVerification(storage, table, parent, key);
        }
    }

    /** A bucket leaves one partition, and is one of another from now on; at the other partitions nothing happens. */
    record HandOver(HandOff handOff) implements StorageStep {
        private static final String MOVED = "the snapshot is too old: rows moved to another partition; try again";

        /** The partition's part, while no transaction is under way; readers of earlier snapshots go on. */
        void commit(PartitionStorage storage, int partition, long commitTimestamp) {
            if (handOff.from() == partition || handOff.to() == partition) {
                storage.discardPreparation();
                storage.moves().handOver(handOff, partition, commitTimestamp);
            }
        }

        /** The part of a copy, by its log. Its readers begin anew at the primary. */
        public void replay(PartitionStorage storage, int partition) {
            if (handOff.from() == partition || handOff.to() == partition) {
                new BucketTransfer(storage).clearWay(MOVED);
                storage.moves().handOver(handOff, partition, Long.MAX_VALUE);
            }
        }
    }

    /**
     * Statements of the transaction yield on the tables of before what its client was shown of them. Nothing stays of
     * what they change.
     */
    record CompareSeen(List<SeenStatement> statements) implements StorageStep {
        public CompareSeen {
            statements = List.copyOf(statements);
        }
    }

    /**
     * Rows of a table change that the steps before have made, and that nobody sees before the commit. They are final at
     * once: the table is dropped if the change fails.
     *
     * @param table as the transaction had altered it by then
     */
    record ChangeRows(Table table, AddedRows rows) implements StorageStep {
        /** Changes those of the partition. */
        public void change(PartitionStorage storage, PartitionPlan plan, Partition partition) {
            rows.add(storage, plan, partition.id().number());
            storage.undoLog().commit(Math.max(1, partition.timestamps().last()));
        }
    }

    /** Changes of rows come with the change, when all other steps are done. */
    record AddRows(List<AddedRows> rows) implements StorageStep {
        public AddRows {
            rows = List.copyOf(rows);
        }

        /** Makes those of the partition; the undo log undoes them or makes them final. */
        public void add(PartitionStorage storage, PartitionPlan plan, int partition) {
            rows.forEach(each -> each.add(storage, plan, partition));
        }

        /** Makes them final where the change counts; no reader from before is left, and later commits are later. */
        public void replay(PartitionStorage storage, PartitionPlan plan, Partition partition) {
            add(storage, plan, partition.id().number());
            storage.undoLog().commit(Math.max(1, partition.timestamps().last()));
        }
    }

    /** @param table without the index */
    record DropIndex(Table table, Index index) implements StorageStep {}
}
