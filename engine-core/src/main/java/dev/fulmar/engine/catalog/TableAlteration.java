package dev.fulmar.engine.catalog;

import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.CatalogChange.Unique;
import dev.fulmar.engine.catalog.CatalogChange.Validity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A change of a table by ALTER TABLE. */
public sealed interface TableAlteration {
    /** Every row must meet the condition, those that exist too. */
    record AddCheck(Check check) implements TableAlteration {}

    /** Keys must be unique, those that exist too. */
    record AddUnique(Unique unique, Validity validity) implements TableAlteration {}

    /**
     * Rows get a primary key, whose columns are never null; those that exist too.
     *
     * @param kind asked for with USING; empty for both kinds
     * @param places whether the rows of the table, which is replicated, are placed by the key
     */
    record AddPrimaryKey(
            KeyName name, List<String> columns, Optional<IndexKind> kind, Validity validity, boolean places)
            implements TableAlteration {
        public AddPrimaryKey {
            columns = List.copyOf(columns);
        }

        /** The same by which no rows are placed. */
        public AddPrimaryKey alone(Validity other) {
            return new AddPrimaryKey(name, columns, kind, other, false);
        }
    }

    /** References must hold; without columns of the parent they are to its primary key. */
    record AddForeignKey(ForeignKey key, Validity validity) implements TableAlteration {}

    /**
     * All rows keep a unique constraint or a foreign key, and not only those that were written since it is there.
     *
     * @param since version of the catalog since which writes keep it; empty if no row has been looked at yet
     */
    record ValidateConstraint(String name, OptionalLong since) implements TableAlteration {}

    /** A check, a unique constraint or a foreign key goes. */
    record DropConstraint(String name, Presence presence) implements TableAlteration {}

    /**
     * The table gets another name.
     *
     * @param checks all conditions of the table, where they name it by its new name
     * @param generations of all generated columns, by their names; likewise
     */
    record RenameTable(String name, List<Check> checks, Map<String, Generation> generations)
            implements TableAlteration {
        public RenameTable {
            checks = List.copyOf(checks);
            generations = Map.copyOf(generations);
        }
    }

    /**
     * A new last column; it has its default in the rows that exist.
     *
     * @param checks conditions that come with it
     * @param uniques unique constraints that come with it
     * @param references foreign keys that come with it
     * @param time at which rows that exist get the default
     */
    record AddColumn(
            Column column,
            List<Check> checks,
            List<Unique> uniques,
            List<ForeignKey> references,
            Presence presence,
            DefaultTime time)
            implements TableAlteration {
        public AddColumn {
            checks = List.copyOf(checks);
            uniques = List.copyOf(uniques);
            references = List.copyOf(references);
        }
    }

    /** The time at which a default is computed for rows that exist. */
    sealed interface DefaultTime {
        /** The default is the same at any time. */
        record Any() implements DefaultTime {}

        /** It depends on the time, which the node that gets the statement adds to its text. */
        record Unsaid() implements DefaultTime {}

        /** That of the statement: all partitions and copies compute the same value, also from the log. */
        record At(long micros) implements DefaultTime {}
    }

    /** @param cascade whether indexes and conditions with the column go too */
    record DropColumn(String name, Presence presence, boolean cascade) implements TableAlteration {}

    /**
     * A column under another name, or of another type, or with another default.
     *
     * @param name of the column as it is
     * @param column as it will be
     * @param checks all conditions of the table over its columns as they will be
     * @param generations of other columns that are computed from the column, by their names, where they change
     */
    record ChangeColumn(String name, Column column, List<Check> checks, Map<String, Generation> generations)
            implements TableAlteration {
        public ChangeColumn {
            checks = List.copyOf(checks);
            generations = Map.copyOf(generations);
        }
    }

    /** Rows are placed by another column, or every partition gets all of them. */
    record Repartition(TablePartitioning partitioning, RepartitioningStage stage) implements TableAlteration {}

    /** A part of a {@link Repartition}, which consists of two changes of the catalog. Rows are copied between them. */
    sealed interface RepartitioningStage {
        /** All of it, as its author asks for. By itself it is for a table without rows. */
        record All() implements RepartitioningStage {}

        /** The table gets a successor of that name. */
        record Begin(String successor) implements RepartitioningStage {}

        /** The successor of that name, which has all rows, takes the table's place. */
        record End(String successor) implements RepartitioningStage {}
    }

    /** A column gets numbers of a sequence of its own where it is given no value. */
    record AddIdentity(String column, SequenceRule rule, boolean always) implements TableAlteration {}

    /**
     * An identity column draws in another way.
     *
     * @param always whether it takes no other values; empty if that stays
     * @param sequence what becomes of its sequence; empty if that stays
     */
    record AlterIdentity(String column, Optional<Boolean> always, Optional<CatalogChange.AlterSequence> sequence)
            implements TableAlteration {}

    /** Rows go by themselves, or no more. */
    record SetExpiry(Optional<Expiry> expiry) implements TableAlteration {}

    /** No alteration: the object is not there, or the words mean nothing here. */
    record Nothing() implements TableAlteration {}
}
