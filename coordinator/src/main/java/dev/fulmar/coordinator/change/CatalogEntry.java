package dev.fulmar.coordinator.change;

import dev.fulmar.coordinator.transaction.SeenPart;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.engine.spi.CreateTableAsPlan;
import java.util.List;
import java.util.Optional;

/** A change of the catalog as it is logged: as its author gave it. */
public sealed interface CatalogEntry {
    /** A DDL statement, or other text that the SQL front end makes the change from. */
    record Statement(String text) implements CatalogEntry {}

    /** A statement about users, roles or rights, with verifiers instead of passwords. No client is shown it. */
    record Access(String text) implements CatalogEntry {
        @Override
        public String toString() {
            return "a change of users, roles or rights";
        }
    }

    /** A jar of procedures. */
    @SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
    record Jar(byte[] bytes) implements CatalogEntry {}

    /**
     * A partition plan.
     *
     * @param handOffs the buckets that change their partition with it; none but in logs of earlier versions of Fulmar
     */
    record Plan(PartitionPlan plan, List<HandOff> handOffs) implements CatalogEntry {
        public Plan {
            handOffs = List.copyOf(handOffs);
        }
    }

    /** Buckets that change their partitions, and the plan with them. */
    record HandOver(List<HandOff> handOffs) implements CatalogEntry {
        public HandOver {
            handOffs = List.copyOf(handOffs);
        }
    }

    /**
     * A state of a reconfiguration.
     *
     * @param configured the plan that counts, if the catalog has none
     */
    record Retarget(TargetChange change, Optional<PartitionPlan> configured) implements CatalogEntry {}

    /**
     * Rows that come with a joint change, in a part of it: an INSERT.
     *
     * @param parameters in the format of {@code dev.fulmar.foundation.data}
     * @param micros the time of the transaction, since the epoch
     */
    @SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
    record Rows(String text, byte[] parameters, long micros) implements CatalogEntry {}

    /**
     * A statement of a joint change's transaction, in a part of it, that was run and undone before.
     *
     * @param parameters in the format of {@code dev.fulmar.foundation.data}
     * @param micros the time of the transaction, since the epoch
     * @param version of the catalog with which it was run
     * @param changesRows whether it is more than a query
     * @param comparesImages whether the parts have the images of the rows that it changed
     * @param parts each partition's result, which must come out again
     */
    @SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
    record Ran(
            String text,
            byte[] parameters,
            long micros,
            long version,
            boolean changesRows,
            boolean comparesImages,
            List<SeenPart> parts)
            implements CatalogEntry {
        public Ran {
            parts = List.copyOf(parts);
        }

        /** The same with other parts. */
        public Ran seen(List<SeenPart> others) {
            return new Ran(text, parameters, micros, version, changesRows, comparesImages, others);
        }
    }

    /**
     * Changes that one transaction of a session makes, in their order.
     *
     * @param parts statements, rows that are added after all of them, and statements that were run on the tables of
     *     before; what these change comes after all changes of tables too
     */
    record Joint(List<CatalogEntry> parts) implements CatalogEntry {
        public Joint {
            parts = List.copyOf(parts);
            if (parts.stream()
                    .anyMatch(part -> !(part instanceof Statement
                            || part instanceof Access
                            || part instanceof Rows
                            || part instanceof Ran))) {
                throw new IllegalArgumentException("a joint change is made of statements");
            }
        }
    }

    /**
     * A change that a client asked for, and may ask for again.
     *
     * @param what one of the others
     */
    record Asked(CatalogEntry what, ChangeHandle handle) implements CatalogEntry {
        public Asked {
            if (what instanceof Asked || what instanceof Untold) {
                throw new IllegalArgumentException("a change is asked for once, and by a text or a jar");
            }
        }
    }

    /** Whether tables, views and procedures stay as they are, so that readers of earlier snapshots can go on. */
    default boolean keepsTables() {
        return switch (this) {
            case Plan _, HandOver _, Retarget _ -> true;
            case Asked(CatalogEntry what, ChangeHandle _) -> what.keepsTables();
            case Statement _, Access _, Joint _, Rows _, Ran _, Jar _, Untold _ -> false;
        };
    }

    /** Whether a statement of a node's own ends what an earlier one has begun: a table that no client knows. */
    default boolean isEnding() {
        return switch (this) {
            case Statement(String text) -> CreateTableAsPlan.isRemoval(text) || Repartitioning.isEnd(text);
            case Asked(CatalogEntry what, ChangeHandle _) -> what.isEnding();
            case Plan _, HandOver _, Retarget _, Access _, Joint _, Rows _, Ran _, Jar _, Untold _ -> false;
        };
    }

    /** The same with the handle under which it is asked for, if there is one. */
    default CatalogEntry askedUnder(ChangeHandle handle) {
        return handle.isNone() || this instanceof Untold ? this : new Asked(this, handle);
    }

    /** A change that has no text. It cannot be written down. */
    record Untold() implements CatalogEntry {}
}
